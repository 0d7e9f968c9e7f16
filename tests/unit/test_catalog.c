/* SPDX-License-Identifier: MIT */
/* The catalog of a folder: what is in it, what is not, and that nothing in it can stop it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "catalog/catalog.h"
#include "profile/clock.h"

static char root[64];

/* ---- a tree of files ---------------------------------------------------------- */

static char *at(const char *way)
{
	static char path[2000];
	snprintf(path, sizeof path, "%s/%s", root, way);
	return path;
}

/* Makes the folders on the way, then the file. */
static void put(const char *way, const void *bytes, size_t size)
{
	for (const char *c = way; (c = strchr(c, '/')) != NULL; c++) {
		char folder[1000];
		snprintf(folder, sizeof folder, "%.*s", (int)(c - way), way);
		mkdir(at(folder), 0777);
	}
	FILE *file = fopen(at(way), "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static void put_text(const char *way, const char *text)
{
	put(way, text, strlen(text));
}

static const char folded[] = "main;read;parse 7\nmain;write 3\nmain;read 2\n";

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "/tmp/vptop-catalog.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[200];
	(void)state;
	snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", root, root);
	return system(command);
}

static struct catalog *look(const char *folder, const struct catalog_options *options)
{
	struct catalog *catalog = catalog_open(folder, options);
	while (catalog_step(catalog, INT64_MAX))
		;
	return catalog;
}

static struct catalog *look_at_root(void)
{
	const struct catalog_options options = catalog_options_default();
	return look(root, &options);
}

/* The entry with that way in the folder; NULL: there is none. */
static const struct catalog_entry *find(const struct catalog *catalog, const char *way)
{
	for (size_t i = 0; i < catalog->count; i++)
		if (strcmp(catalog->entries[i].way, way) == 0)
			return &catalog->entries[i];
	return NULL;
}

static const struct catalog_group *group_of(
	const struct catalog *catalog, const struct catalog_entry *entry)
{
	assert_non_null(entry);
	return &catalog->groups[entry->group];
}

/* ---- what is in it -------------------------------------------------------------- */

static void content_decides_what_a_profile_is(void **state)
{
	(void)state;
	put_text("stacks.txt", folded);
	put_text("no-extension", folded);
	put_text("README", "This is no profile.\nIt has two lines.\n");
	put_text("deep/er/run.folded", folded);
	struct catalog *catalog = look_at_root();
	assert_int_equal(catalog->count, 3);
	assert_null(catalog->error);
	assert_null(catalog->limit);
	const struct catalog_entry *entry = find(catalog, "deep/er/run.folded");
	assert_non_null(entry);
	assert_string_equal(entry->format, "folded");
	assert_string_equal(entry->name, "run.folded");
	assert_string_equal(entry->path, at("deep/er/run.folded"));
	assert_int_equal(entry->size, strlen(folded));
	assert_int_equal(entry->state, CATALOG_READ);
	assert_int_equal(entry->facts.total, 12);
	assert_null(entry->node);
	assert_string_equal(group_of(catalog, entry)->path, "deep/er");
	assert_null(group_of(catalog, entry)->process);
	catalog_free(catalog);
}

static void a_job_runners_files_have_process_node_and_kind(void **state)
{
	(void)state;
	put_text("output/daily/profiledata/node_a.gocpuprof", folded);
	put_text("output/daily/profiledata/node.b.pyprof.gz", folded);
	put_text("output/daily/profiledata/plain", folded);
	put_text("output/daily/notes.folded", folded);
	struct catalog *catalog = look_at_root();
	const struct catalog_entry *entry =
		find(catalog, "output/daily/profiledata/node_a.gocpuprof");
	assert_string_equal(group_of(catalog, entry)->process, "daily");
	assert_string_equal(group_of(catalog, entry)->path, "output/daily");
	assert_string_equal(entry->node, "node_a");
	assert_string_equal(entry->kind, "gocpuprof");
	entry = find(catalog, "output/daily/profiledata/node.b.pyprof.gz");
	assert_string_equal(entry->node, "node.b");
	assert_string_equal(entry->kind, "pyprof");
	entry = find(catalog, "output/daily/profiledata/plain");
	assert_string_equal(group_of(catalog, entry)->process, "daily");
	assert_null(entry->node);
	assert_null(group_of(catalog, find(catalog, "output/daily/notes.folded"))->process);
	catalog_free(catalog);

	/* The same where the folder that is looked at lies within. */
	static const char *const inner[] = {"output/daily", "output/daily/profiledata"};
	static const char *const ways[] = {"profiledata/node_a.gocpuprof", "node_a.gocpuprof"};
	for (size_t i = 0; i < 2; i++) {
		const struct catalog_options options = catalog_options_default();
		catalog = look(at(inner[i]), &options);
		entry = find(catalog, ways[i]);
		assert_string_equal(group_of(catalog, entry)->process, "daily");
		assert_string_equal(entry->node, "node_a");
		catalog_free(catalog);
	}
}

static void hidden_ones_are_asked_for(void **state)
{
	(void)state;
	put_text(".hidden.folded", folded);
	put_text(".git/x.folded", folded);
	put_text("seen.folded", folded);
	struct catalog *catalog = look_at_root();
	assert_int_equal(catalog->count, 1);
	catalog_free(catalog);
	struct catalog_options options = catalog_options_default();
	options.hidden = true;
	catalog = look(root, &options);
	assert_int_equal(catalog->count, 3);
	assert_true(find(catalog, ".git/x.folded")->is_hidden);
	assert_true(find(catalog, ".hidden.folded")->is_hidden);
	assert_false(find(catalog, "seen.folded")->is_hidden);
	catalog_free(catalog);
}

/* ---- what cannot be read ------------------------------------------------------------ */

static void broken_ones_are_entries_with_an_error(void **state)
{
	(void)state;
	put_text("empty.prof", "");
	put("junk.gocpuprof", "\0\1\2\3\4\5\6\7", 8);
	put("cut.pb.gz", "\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
	put("notes.bin", "\0\1\2\3\4\5\6\7", 8);
	put_text("good.folded", folded);
	struct catalog *catalog = look_at_root();
	assert_int_equal(catalog->count, 4);
	assert_int_equal(catalog->read_count, 4);
	static const char *const broken[] = {"empty.prof", "junk.gocpuprof", "cut.pb.gz"};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		const struct catalog_entry *entry = find(catalog, broken[i]);
		assert_non_null(entry);
		assert_int_equal(entry->state, CATALOG_FAILED);
		assert_non_null(entry->error);
		assert_true(strlen(entry->error) > 5);
	}
	assert_null(find(catalog, "good.folded")->error);
	catalog_free(catalog);
}

static void a_profile_that_breaks_later_has_an_error(void **state)
{
	(void)state;
	/* A pickled dict that ends in its middle. */
	put("short.pyprof", "{(\3\0\0\0", 6);
	struct catalog *catalog = look_at_root();
	const struct catalog_entry *entry = find(catalog, "short.pyprof");
	assert_non_null(entry);
	assert_int_equal(entry->state, CATALOG_FAILED);
	assert_non_null(entry->error);
	catalog_free(catalog);
}

static void unreadable_folders_are_entries_with_an_error(void **state)
{
	(void)state;
	if (geteuid() == 0)
		skip(); /* root reads them */
	put_text("locked/x.folded", folded);
	chmod(at("locked"), 0);
	struct catalog *catalog = look_at_root();
	assert_int_equal(catalog->count, 1);
	assert_true(catalog->entries[0].is_folder);
	assert_int_equal(catalog->entries[0].state, CATALOG_FAILED);
	catalog_free(catalog);
}

static void no_folder_is_an_error_of_the_catalog(void **state)
{
	(void)state;
	const struct catalog_options options = catalog_options_default();
	put_text("file", folded);
	static const char *const ways[] = {"nowhere", "file"};
	for (size_t i = 0; i < 2; i++) {
		struct catalog *catalog = look(at(ways[i]), &options);
		assert_int_equal(catalog->count, 0);
		assert_non_null(catalog->error);
		catalog_free(catalog);
	}
}

static void only_regular_files_are_opened(void **state)
{
	(void)state;
	put_text("good.folded", folded);
	assert_int_equal(mkfifo(at("pipe.prof"), 0666), 0);
	/* Opening the pipe would wait for ever. */
	alarm(20);
	struct catalog *catalog = look_at_root();
	alarm(0);
	assert_int_equal(catalog->count, 1);
	catalog_free(catalog);
}

/* ---- links ---------------------------------------------------------------------------- */

static void link_to(const char *target, const char *way)
{
	assert_int_equal(symlink(target, at(way)), 0);
}

static void loops_of_links_end(void **state)
{
	(void)state;
	put_text("a/b/run.folded", folded);
	link_to("..", "a/b/up");
	link_to(".", "self");
	link_to("../../..", "a/b/out");
	link_to("a", "again");
	link_to("nowhere", "dangling.prof");
	link_to("b/run.folded", "a/same.folded");
	alarm(20);
	struct catalog *catalog = look_at_root();
	alarm(0);
	/* Each folder is there once, by its own path; a file by all of its names. */
	assert_int_equal(catalog->count, 2);
	assert_non_null(find(catalog, "a/b/run.folded"));
	assert_non_null(find(catalog, "a/same.folded"));
	catalog_free(catalog);
}

static void links_to_other_folders_are_followed(void **state)
{
	(void)state;
	put_text("far/run.folded", folded);
	put_text("near/own.folded", folded);
	link_to("../far", "near/link");
	const struct catalog_options options = catalog_options_default();
	struct catalog *catalog = look(at("near"), &options);
	assert_int_equal(catalog->count, 2);
	assert_non_null(find(catalog, "link/run.folded"));
	catalog_free(catalog);
}

/* ---- limits ---------------------------------------------------------------------------- */

static void limits_are_said(void **state)
{
	(void)state;
	struct catalog_options options = catalog_options_default();
	for (int i = 0; i < 20; i++) {
		char way[40];
		snprintf(way, sizeof way, "f%02d/run.folded", i);
		put_text(way, folded);
	}
	put_text("1/2/3/4/deep.folded", folded);
	options.max_depth = 2;
	struct catalog *catalog = look(root, &options);
	assert_int_equal(catalog->count, 20);
	assert_non_null(strstr(catalog->limit, "deep"));
	catalog_free(catalog);

	options = catalog_options_default();
	options.max_files = 10;
	catalog = look(root, &options);
	assert_true(catalog->count <= 10);
	assert_non_null(strstr(catalog->limit, "too many files"));
	catalog_free(catalog);

	options = catalog_options_default();
	options.max_folders = 5;
	catalog = look(root, &options);
	assert_true(catalog->count < 6);
	assert_non_null(strstr(catalog->limit, "too many folders"));
	catalog_free(catalog);
}

static void five_thousand_files_take_seconds(void **state)
{
	(void)state;
	for (int i = 0; i < 5000; i++) {
		char way[60];
		snprintf(way, sizeof way, "p%02d/profiledata/n%04d.gocpuprof", i % 50, i);
		put_text(way, folded);
	}
	const clock_t start = clock();
	struct catalog *catalog = look_at_root();
	const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	assert_int_equal(catalog->count, 5000);
	assert_int_equal(catalog->read_count, 5000);
	assert_int_equal(catalog->group_count, 50);
	uint32_t *order = catalog_by_path(catalog);
	for (size_t i = 1; i < catalog->count; i++)
		assert_true(strcmp(catalog->entries[order[i - 1]].path,
				    catalog->entries[order[i]].path) < 0);
	free(order);
	catalog_free(catalog);
	/* Sanitizers and other programs on the machine included. */
	assert_true(seconds < 30);
}

/* ---- steps ------------------------------------------------------------------------------- */

static void steps_come_to_the_same_end(void **state)
{
	(void)state;
	for (int i = 0; i < 30; i++) {
		char way[40];
		snprintf(way, sizeof way, "f%d/run%d.folded", i % 7, i);
		put_text(way, folded);
	}
	const struct catalog_options options = catalog_options_default();
	struct catalog *catalog = catalog_open(root, &options);
	size_t steps = 0;
	for (bool has_more = true; has_more; steps++) {
		has_more = catalog_step(catalog, 0);
		/* A wish that makes no sense changes nothing. */
		catalog_want(catalog, steps * 3);
	}
	assert_true(steps > 60);
	assert_int_equal(catalog->count, 30);
	assert_int_equal(catalog->read_count, 30);
	catalog_free(catalog);
}

static void what_is_wanted_is_read_next(void **state)
{
	(void)state;
	put_text("a.folded", folded);
	put_text("b.folded", folded);
	put_text("c.folded", folded);
	const struct catalog_options options = catalog_options_default();
	struct catalog *catalog = catalog_open(root, &options);
	while (!catalog->is_found)
		catalog_step(catalog, 0);
	const struct catalog_entry *last = find(catalog, "c.folded");
	if (catalog->read_count == 0) {
		catalog_want(catalog, (size_t)(last - catalog->entries));
		catalog_step(catalog, 0);
		assert_int_equal(last->state, CATALOG_READ);
	}
	while (catalog_step(catalog, 0))
		;
	assert_int_equal(catalog->read_count, 3);
	catalog_free(catalog);
}

static bool stop_at_once(void *context, struct builder *builder, uint64_t done, uint64_t total)
{
	(void)builder;
	(void)done;
	(void)total;
	return !*(bool *)context;
}

static void a_stopped_loading_is_tried_again(void **state)
{
	(void)state;
	bool stop = true;
	/* Long enough for the progress to be asked. */
	struct text text = {0};
	for (int i = 0; i < 200000; i++)
		text_printf(&text, "main;f%d;g%d 1\n", i % 100, i);
	put("large.folded", text.data, text.length);
	text_free(&text);
	struct catalog_options options = catalog_options_default();
	options.load.progress = stop_at_once;
	options.load.progress_context = &stop;
	struct catalog *catalog = catalog_open(root, &options);
	for (int i = 0; i < 20; i++)
		assert_true(catalog_step(catalog, 0));
	assert_int_equal(catalog->entries[0].state, CATALOG_FOUND);
	stop = false;
	while (catalog_step(catalog, 0))
		;
	assert_int_equal(catalog->entries[0].state, CATALOG_READ);
	assert_int_equal(catalog->entries[0].facts.total, 200000);
	catalog_free(catalog);
}

/* ---- facts --------------------------------------------------------------------------------- */

/* The facts are what loading the profile says. */
static void facts_are_those_of_the_profile(void **state)
{
	(void)state;
	char folder[1000];
	const char *top = getenv("top_srcdir");
	snprintf(folder, sizeof folder, "%s/data/samples", top ? top : ".");
	if (access(folder, R_OK) != 0)
		skip();
	const struct catalog_options options = catalog_options_default();
	struct catalog *catalog = look(folder, &options);
	assert_int_equal(catalog->count, 3);
	for (size_t i = 0; i < catalog->count; i++) {
		const struct catalog_entry *entry = &catalog->entries[i];
		const struct catalog_facts *facts = &entry->facts;
		const struct load_options load = load_options_default();
		struct vp_error err;
		struct profile *profile = profile_load(entry->path, &load, &err);
		assert_non_null(profile);
		assert_int_equal(facts->duration_ns, clock_duration_ns(profile));
		assert_int_equal(facts->has_start, profile->has_start);
		assert_int_equal(facts->start_ns, profile->start_ns);
		assert_int_equal(facts->samples, profile_samples_taken(profile));
		assert_int_equal(facts->peak_bytes >= 0, profile_has_memory(profile));
		if (profile_has_memory(profile))
			assert_int_equal(facts->peak_bytes,
				1024 * profile_memory_kib(profile, profile_peak(profile)));
		assert_int_equal(!facts->project, !profile->project);
		if (profile->project)
			assert_string_equal(facts->project, profile->project);
		assert_int_equal(!facts->top_level_function, !profile->top_level_function);
		profile_free(profile);
	}
	catalog_free(catalog);
}

static void three_blobs_are_one_profile(void **state)
{
	(void)state;
	/* A msgpack array without an element is an empty run. */
	put("storage/7/cpu.msgpack", "\x90", 1);
	put("storage/7/mem.msgpack", "\x90", 1);
	put("storage/7/addr_name_map.msgpack", "\x80", 1);
	put_text("storage/7/other.folded", folded);
	struct catalog *catalog = look_at_root();
	assert_int_equal(catalog->count, 2);
	const struct catalog_entry *entry = find(catalog, "storage/7");
	assert_non_null(entry);
	assert_true(entry->is_folder);
	assert_int_equal(entry->size, 3);
	assert_string_equal(entry->format, "vmprof-viewer");
	assert_string_equal(group_of(catalog, entry)->path, "storage");
	catalog_free(catalog);
}

/* ---- which of them ----------------------------------------------------------------------------
 */

static size_t count_passing(const struct catalog *catalog, const char *project, const char *text)
{
	struct catalog_filter filter;
	struct vp_error err;
	size_t count = 0;
	assert_true(catalog_filter_init(&filter, project, text, &err));
	for (size_t i = 0; i < catalog->count; i++)
		count += catalog_passes(catalog, &filter, &catalog->entries[i]);
	catalog_filter_free(&filter);
	return count;
}

static void filters_narrow(void **state)
{
	(void)state;
	put_text("out/daily/profiledata/Pack.gocpuprof", folded);
	put_text("out/daily/profiledata/rules.pyprof", folded);
	put_text("out/hourly/profiledata/pack.gocpuprof", folded);
	put_text("loose.folded", folded);
	struct catalog *catalog = look_at_root();
	struct catalog_filter filter;
	struct vp_error err;
	assert_int_equal(count_passing(catalog, NULL, NULL), 4);
	assert_int_equal(count_passing(catalog, "^daily$", NULL), 2);
	assert_int_equal(count_passing(catalog, NULL, "PACK"), 2);
	assert_int_equal(count_passing(catalog, "hour", "pack"), 1);
	assert_int_equal(count_passing(catalog, "nothing", NULL), 0);
	assert_int_equal(count_passing(catalog, NULL, ""), 4);
	assert_false(catalog_filter_init(&filter, "(", NULL, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	catalog_free(catalog);
}

static void a_glance_says_whether_there_are_any(void **state)
{
	(void)state;
	put_text("README", "nothing\n");
	put_text("broken.prof", "");
	assert_false(catalog_has_profiles(root));
	put_text("x/y/run.folded", folded);
	assert_true(catalog_has_profiles(root));
}

static void check_folder(char *folder, const char *wanted)
{
	assert_string_equal(folder, wanted);
	free(folder);
}

static void folders_of_paths(void **state)
{
	(void)state;
	check_folder(catalog_folder_of("a.prof"), ".");
	check_folder(catalog_folder_of("x/a.prof"), "x");
	check_folder(catalog_folder_of("x//a.prof"), "x");
	check_folder(catalog_folder_of("/a.prof"), "/");
	check_folder(catalog_folder_of("storage/3/"), "storage");
	put_text("x/y/z", folded);
	char *real = realpath(at("x"), NULL);
	check_folder(catalog_folder_above(at("x/y")), real);
	free(real);
	assert_null(catalog_folder_above("/"));
	assert_null(catalog_folder_above(at("nowhere")));
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(content_decides_what_a_profile_is),
		TREE_TEST(a_job_runners_files_have_process_node_and_kind),
		TREE_TEST(hidden_ones_are_asked_for),
		TREE_TEST(broken_ones_are_entries_with_an_error),
		TREE_TEST(a_profile_that_breaks_later_has_an_error),
		TREE_TEST(unreadable_folders_are_entries_with_an_error),
		TREE_TEST(no_folder_is_an_error_of_the_catalog),
		TREE_TEST(only_regular_files_are_opened),
		TREE_TEST(loops_of_links_end),
		TREE_TEST(links_to_other_folders_are_followed),
		TREE_TEST(limits_are_said),
		TREE_TEST(five_thousand_files_take_seconds),
		TREE_TEST(steps_come_to_the_same_end),
		TREE_TEST(what_is_wanted_is_read_next),
		TREE_TEST(a_stopped_loading_is_tried_again),
		TREE_TEST(facts_are_those_of_the_profile),
		TREE_TEST(three_blobs_are_one_profile),
		TREE_TEST(filters_narrow),
		TREE_TEST(a_glance_says_whether_there_are_any),
		TREE_TEST(folders_of_paths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
