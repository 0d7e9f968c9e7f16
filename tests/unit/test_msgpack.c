/* SPDX-License-Identifier: MIT */
/* Our decoder against msgpack-c's packer, and the envelope's traps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/msgpack.h"

struct packed {
	msgpack_sbuffer bytes;
	msgpack_packer packer;
};

static void packed_start(struct packed *packed)
{
	msgpack_sbuffer_init(&packed->bytes);
	msgpack_packer_init(&packed->packer, &packed->bytes, msgpack_sbuffer_write);
}

static struct msgpack_item packed_head(struct packed *packed)
{
	struct msgpack_item item;
	const uint8_t *bytes = (const uint8_t *)packed->bytes.data;
	size_t size = packed->bytes.size;
	int used = msgpack_head(bytes, size, &item);
	assert_true(used > 0 && (size_t)used <= size);
	for (int i = 0; i < used; i++) {
		struct msgpack_item cut;
		assert_int_equal(msgpack_head(bytes, (size_t)i, &cut), 0);
	}
	msgpack_sbuffer_destroy(&packed->bytes);
	return item;
}

static void test_integers(void **state)
{
	(void)state;
	for (int shift = 0; shift < 64; shift++) {
		for (int delta = -2; delta <= 2; delta++) {
			uint64_t value = (UINT64_C(1) << shift) + (uint64_t)(int64_t)delta;
			struct packed packed;
			packed_start(&packed);
			msgpack_pack_uint64(&packed.packer, value);
			struct msgpack_item item = packed_head(&packed);
			assert_int_equal(item.type, MSGPACK_INT);
			assert_int_equal(item.integer, value);
			assert_false(item.is_negative);
			packed_start(&packed);
			msgpack_pack_int64(&packed.packer, -(int64_t)(value >> 1) - 1);
			item = packed_head(&packed);
			assert_int_equal((int64_t)item.integer, -(int64_t)(value >> 1) - 1);
			assert_int_equal(item.is_negative, -(int64_t)(value >> 1) - 1 < 0);
		}
	}
}

static void test_other_heads(void **state)
{
	(void)state;
	static const size_t sizes[] = {0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct packed packed;
		packed_start(&packed);
		msgpack_pack_array(&packed.packer, sizes[i]);
		struct msgpack_item item = packed_head(&packed);
		assert_int_equal(item.type, MSGPACK_ARRAY);
		assert_int_equal(item.count, sizes[i]);
		packed_start(&packed);
		msgpack_pack_map(&packed.packer, sizes[i]);
		item = packed_head(&packed);
		assert_int_equal(item.type, MSGPACK_MAP);
		assert_int_equal(item.count, sizes[i]);
		packed_start(&packed);
		msgpack_pack_str(&packed.packer, sizes[i]);
		item = packed_head(&packed);
		assert_int_equal(item.type, MSGPACK_BYTES);
		assert_int_equal(item.count, sizes[i]);
		packed_start(&packed);
		msgpack_pack_bin(&packed.packer, sizes[i]);
		item = packed_head(&packed);
		assert_int_equal(item.type, MSGPACK_BYTES);
		assert_int_equal(item.count, sizes[i]);
	}
	struct packed packed;
	packed_start(&packed);
	msgpack_pack_double(&packed.packer, 100000.0);
	struct msgpack_item item = packed_head(&packed);
	double value;
	assert_true(msgpack_number(&item, &value) && value == 100000.0);
	packed_start(&packed);
	msgpack_pack_float(&packed.packer, 0.25f);
	item = packed_head(&packed);
	assert_true(msgpack_number(&item, &value) && value == 0.25);
	packed_start(&packed);
	msgpack_pack_nil(&packed.packer);
	item = packed_head(&packed);
	assert_int_equal(item.type, MSGPACK_NIL);
	assert_int_equal(msgpack_head((const uint8_t *)"\xc1", 1, &item), -1);
}

static void pack_text(msgpack_packer *packer, const char *s)
{
	msgpack_pack_str(packer, strlen(s));
	msgpack_pack_str_body(packer, s, strlen(s));
}

/* msgpack-c's object API refuses this from 17 frames on. */
static void check_tree(unsigned depth)
{
	struct packed packed;
	packed_start(&packed);
	for (unsigned i = 0; i < depth; i++) {
		char address[16];
		snprintf(address, sizeof address, "%u", 2 * i + 2);
		msgpack_pack_array(&packed.packer, 4);
		pack_text(&packed.packer, address);
		msgpack_pack_unsigned_int(&packed.packer, 7);
		msgpack_pack_map(&packed.packer, 0);
		msgpack_pack_array(&packed.packer, i + 1 < depth);
	}
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile =
		profile_load_memory(packed.bytes.data, packed.bytes.size, &options, &err);
	assert_non_null(profile);
	assert_int_equal(profile->max_depth, depth);
	assert_int_equal(profile->types[0].total, 7);
	assert_false(profile->is_timed);
	profile_free(profile);
	options.builder.max_depth = depth - 1;
	assert_null(profile_load_memory(packed.bytes.data, packed.bytes.size, &options, &err));
	assert_int_equal(err.code, ERROR_LIMIT);
	msgpack_sbuffer_destroy(&packed.bytes);
}

static void test_deep_trees(void **state)
{
	(void)state;
	check_tree(500);
	check_tree(100000);
}

static void pack_sample(msgpack_packer *packer, const uint64_t *trace, size_t depth, int64_t kib)
{
	msgpack_pack_array(packer, 2);
	msgpack_pack_array(packer, depth);
	for (size_t i = 0; i < depth; i++)
		msgpack_pack_uint64(packer, trace[i]);
	msgpack_pack_int64(packer, kib);
}

/* Addresses above 2^53 and 2^63 stay apart, in samples and as decimal text in the names. */
static void test_large_addresses(void **state)
{
	(void)state;
	static const uint64_t trace[] = {UINT64_C(9007199254740992), UINT64_C(9007199254740994),
		UINT64_C(13835058055282163712)};
	struct packed packed;
	packed_start(&packed);
	msgpack_pack_map(&packed.packer, 6);
	pack_text(&packed.packer, "version");
	msgpack_pack_int(&packed.packer, 2);
	pack_text(&packed.packer, "period");
	msgpack_pack_double(&packed.packer, 100000.0);
	pack_text(&packed.packer, "project");
	pack_text(&packed.packer, "shop");
	pack_text(&packed.packer, "start_date");
	pack_text(&packed.packer, "2016-09-14T13:29:13+02:00");
	pack_text(&packed.packer, "mem_profile");
	msgpack_pack_array(&packed.packer, 2);
	pack_sample(&packed.packer, trace, 3, 1024);
	pack_sample(&packed.packer, trace, 2, 4096);
	pack_text(&packed.packer, "addr_name_map");
	msgpack_pack_map(&packed.packer, 3);
	pack_text(&packed.packer, "9007199254740992");
	pack_text(&packed.packer, "py:a:1:a.py");
	pack_text(&packed.packer, "9007199254740994");
	pack_text(&packed.packer, "py:b:2:b.py");
	msgpack_pack_uint64(&packed.packer, trace[2]);
	pack_text(&packed.packer, "py:c:3:c.py");
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile =
		profile_load_memory(packed.bytes.data, packed.bytes.size, &options, &err);
	assert_non_null(profile);
	assert_int_equal(profile->sample_count, 2);
	assert_int_equal(profile->max_depth, 3);
	assert_int_equal(profile->period_ns, 100000000);
	assert_int_equal(profile->offset_s, 7200);
	assert_string_equal(profile->project, "shop");
	const char *names[] = {"a", "b", "c"};
	stack_id stack = profile->sample_stack[0];
	for (int i = 2; i >= 0; i--, stack = profile->stack_parent[stack])
		assert_string_equal(
			profile_string(profile,
				profile_function(profile, profile->stack_frame[stack])->name, NULL),
			names[i]);
	assert_int_equal(profile_memory_kib(profile, 1), 4096);
	profile_free(profile);
	msgpack_sbuffer_destroy(&packed.bytes);
}

/* Four billion samples promised, none there: what was read is kept, nothing is allocated ahead. */
static void test_lying_lengths(void **state)
{
	(void)state;
	static const uint8_t samples[] = {0xdd, 0xff, 0xff, 0xff, 0xff, 0x92, 0x91, 0x02, 0x05};
	static const uint8_t trace[] = {0x91, 0x92, 0xdd, 0xff, 0xff, 0xff, 0xff, 0x02};
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(samples, sizeof samples, &options, &err);
	assert_non_null(profile);
	assert_int_equal(profile->sample_count, 1);
	assert_true(profile->is_truncated);
	profile_free(profile);
	profile = profile_load_memory(trace, sizeof trace, &options, &err);
	assert_true(!profile || profile->sample_count == 0);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_other_heads),
		cmocka_unit_test(test_deep_trees),
		cmocka_unit_test(test_large_addresses),
		cmocka_unit_test(test_lying_lengths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
