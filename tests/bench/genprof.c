/* SPDX-License-Identifier: MIT */
/*
 * genprof - deterministic synthetic profiles of any size, for benchmarks.
 *
 *   genprof FORMAT COUNT [SEED] > FILE
 *
 * FORMAT  envelope  vmprof-viewer upload (msgpack of gzip'd msgpack blobs)
 *         vmprof    vmprof binary log with memory (version 6)
 *         pprof     gzip'd pprof protobuf, COUNT distinct stacks
 *         folded    "a;b;c N" text, COUNT distinct stacks
 *
 * The program walks a random call graph: function popularity follows Zipf's
 * law, one sample shares a long prefix with the sample before it, the depth
 * drifts between 10 and 120 with a mean near 30, and memory follows a
 * saw-tooth.  The same COUNT and SEED give the same samples in every format.
 */
#include <inttypes.h>
#include <math.h>
#include <msgpack.h>
#include <msgpack/fbuffer.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { NFUNC = 20000, FANOUT = 16, MINDEPTH = 10, MAXDEPTH = 120, BASE = 6 };

struct walk {
	uint64_t rng;
	unsigned spread; /* 0..255: chance of an unusual callee */
	unsigned phase;  /* samples left before the target changes */
	unsigned target, depth;
	uint32_t frame[MAXDEPTH]; /* root first: function * FANOUT + site */
	int64_t mem;              /* KiB */
};

static uint32_t callee[NFUNC][FANOUT];

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t rnd(struct walk *w)
{
	return mix(w->rng += 0x9e3779b97f4a7c15u);
}

/* Log-uniform rank: Zipf's law with exponent 1. */
static uint32_t zipf(uint64_t h, uint32_t n)
{
	double u = (double)(h >> 11) / 9007199254740992.0;
	uint32_t r = (uint32_t)(pow(n, u)) - 1;
	return r < n ? r : n - 1;
}

static void walk_init(struct walk *w, uint64_t seed, unsigned spread)
{
	for (uint32_t f = 0; f < NFUNC; f++)
		for (uint32_t k = 0; k < FANOUT; k++)
			callee[f][k] = zipf(mix(seed + f * 977u + k * 31337u), NFUNC);
	*w = (struct walk){.rng = seed, .spread = spread, .mem = 200000};
}

static void push(struct walk *w)
{
	uint32_t site = 0;
	while (site < FANOUT - 1 && (rnd(w) & 255) < w->spread)
		site++;
	uint32_t f = w->depth ? callee[w->frame[w->depth - 1] / FANOUT][site] : 1;
	w->frame[w->depth++] = f * FANOUT + site;
}

static void walk_next(struct walk *w)
{
	if (w->phase-- == 0) {
		w->phase = 200 + rnd(w) % 4000;
		w->target =
			MINDEPTH +
			(uint32_t)(-18.0 * log((double)((rnd(w) >> 11) + 1) / 9007199254740992.0));
		if (w->target > MAXDEPTH)
			w->target = MAXDEPTH;
		if (w->depth > BASE)
			w->depth = BASE;
	}
	w->mem += (int64_t)(rnd(w) % 4096) - 1800;
	if (w->mem < 100000 || (rnd(w) & 16383) == 0)
		w->mem = 100000 + (int64_t)(rnd(w) % 400000);
	if (rnd(w) % 100 < 35 && w->depth >= MINDEPTH)
		return;
	unsigned pop = 1;
	while ((rnd(w) & 255) < 170)
		pop++;
	w->depth = w->depth > pop + BASE ? w->depth - pop : w->depth < BASE ? w->depth : BASE;
	int jitter = (int)(rnd(w) % 9) - 4;
	int goal = (int)w->target + jitter;
	goal = goal < MINDEPTH ? MINDEPTH : goal > MAXDEPTH ? MAXDEPTH : goal;
	if ((int)w->depth > goal)
		w->depth = (unsigned)goal;
	while ((int)w->depth < goal)
		push(w);
}

/* ---- names ---------------------------------------------------------- */

static const char *const verb[] = {"get", "load", "parse", "build", "render", "update", "validate",
	"resolve", "encode", "fetch", "merge", "apply"};
static const char *const noun[] = {"request", "node", "field", "query", "buffer", "schema",
	"session", "token", "index", "template", "row", "config", "event"};

static int func_name(char *b, size_t n, uint32_t f)
{
	return snprintf(b, n, "%s_%s_%u", verb[f % 12], noun[f / 12 % 13], f / 156);
}

static int func_file(char *b, size_t n, uint32_t f)
{
	uint32_t m = f / 25;
	return snprintf(b, n, "/srv/app/lib/python3.11/site-packages/%s/%s%u.py", noun[m % 13],
		verb[m / 13 % 12], m / 156);
}

static uint32_t func_line(uint32_t f)
{
	return 10 + f % 25 * 40;
}
static uint64_t func_addr(uint32_t f)
{
	return 0x7f3a10000000u + (mix(f) % 0x4000000u * 32);
}

/* ---- call tree: (parent, frame) -> node ----------------------------- */

struct node {
	uint32_t parent, frame, count, child, next;
};
static struct node *node;
static uint32_t nnode, *slot, nslot;

static uint32_t intern(uint32_t parent, uint32_t frame, bool *fresh)
{
	if (nnode * 2 >= nslot) {
		nslot = nslot ? nslot * 2 : 1u << 16;
		node = realloc(node, nslot * sizeof *node);
		free(slot);
		slot = calloc(nslot, sizeof *slot);
		if (!nnode)
			node[nnode++] = (struct node){0};
		for (uint32_t i = 1; i < nnode; i++) {
			uint32_t h = (uint32_t)mix((uint64_t)node[i].parent << 32 | node[i].frame);
			while (slot[h &= nslot - 1])
				h++;
			slot[h] = i;
		}
	}
	uint32_t h = (uint32_t)mix((uint64_t)parent << 32 | frame), i;
	while ((i = slot[h &= nslot - 1]) != 0) {
		if (node[i].parent == parent && node[i].frame == frame) {
			*fresh = false;
			return i;
		}
		h++;
	}
	*fresh = true;
	node[nnode] = (struct node){parent, frame, 0, 0, node[parent].child};
	node[parent].child = nnode;
	slot[h] = nnode;
	return nnode++;
}

/* ---- gzip'd sink ----------------------------------------------------- */

struct sink {
	z_stream z;
	uint8_t in[1 << 16], *out; /* out == NULL: straight to stdout */
	size_t nin, nout, cap;
	bool mem;
};

static void sink_run(struct sink *s, int flush)
{
	uint8_t tmp[1 << 16];
	s->z.next_in = s->in;
	s->z.avail_in = (uInt)s->nin;
	do {
		s->z.next_out = tmp;
		s->z.avail_out = sizeof tmp;
		deflate(&s->z, flush);
		size_t n = sizeof tmp - s->z.avail_out;
		if (!s->mem) {
			fwrite(tmp, 1, n, stdout);
			continue;
		}
		if (s->nout + n > s->cap)
			s->out = realloc(s->out, s->cap = (s->nout + n) * 2);
		memcpy(s->out + s->nout, tmp, n);
		s->nout += n;
	} while (s->z.avail_out == 0);
	s->nin = 0;
}

static int sink_write(void *ctx, const char *p, size_t n)
{
	struct sink *s = ctx;
	while (n) {
		size_t k = sizeof s->in - s->nin;
		k = k < n ? k : n;
		memcpy(s->in + s->nin, p, k);
		s->nin += k;
		p += k;
		n -= k;
		if (s->nin == sizeof s->in)
			sink_run(s, Z_NO_FLUSH);
	}
	return 0;
}

static struct sink *sink_open(bool mem)
{
	struct sink *s = calloc(1, sizeof *s);
	s->mem = mem;
	deflateInit2(&s->z, mem ? 9 : 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
	return s;
}

static void sink_close(struct sink *s)
{
	sink_run(s, Z_FINISH);
	deflateEnd(&s->z);
}

/* ---- vmprof-viewer envelope ------------------------------------------ */

static void pack_str(msgpack_packer *p, const char *s)
{
	size_t n = strlen(s);
	msgpack_pack_str(p, n);
	msgpack_pack_str_body(p, s, n);
}

static void pack_tree(msgpack_packer *p, uint32_t n)
{
	char b[32];
	uint32_t nc = 0;
	msgpack_pack_array(p, 4);
	snprintf(b, sizeof b, "%" PRIu64, func_addr(node[n].frame));
	pack_str(p, b);
	msgpack_pack_uint32(p, node[n].count);
	bool jit = mix(n) % 8 == 0;
	msgpack_pack_map(p, jit);
	if (jit) {
		pack_str(p, "jit");
		msgpack_pack_uint32(p, node[n].count / 2 + 1);
	}
	for (uint32_t c = node[n].child; c; c = node[c].next)
		nc++;
	msgpack_pack_array(p, nc);
	for (uint32_t c = node[n].child; c; c = node[c].next)
		pack_tree(p, c);
}

static void pack_blob(msgpack_packer *p, const char *key, struct sink *s)
{
	sink_close(s);
	pack_str(p, key);
	msgpack_pack_bin(p, s->nout);
	msgpack_pack_bin_body(p, s->out, s->nout);
}

static void gen_envelope(struct walk *w, uint32_t count)
{
	struct sink *cpu = sink_open(true), *mem = sink_open(true), *map = sink_open(true);
	msgpack_packer p, m;
	char b[256], name[64], file[128];
	int64_t peak = 0;
	bool fresh;

	msgpack_packer_init(&m, mem, sink_write);
	msgpack_pack_array(&m, count);
	for (uint32_t i = 0; i < count; i++) {
		walk_next(w);
		msgpack_pack_array(&m, 2);
		msgpack_pack_array(&m, w->depth);
		uint32_t n = 0;
		for (unsigned d = 0; d < w->depth; d++) {
			uint32_t f = w->frame[d] / FANOUT;
			msgpack_pack_uint64(&m, func_addr(f));
			n = intern(n, f, &fresh);
			node[n].count++;
		}
		msgpack_pack_int64(&m, w->mem);
		peak = w->mem > peak ? w->mem : peak;
	}
	msgpack_packer_init(&m, cpu, sink_write);
	pack_tree(&m, node[0].child);
	msgpack_packer_init(&m, map, sink_write);
	msgpack_pack_map(&m, NFUNC);
	for (uint32_t f = 0; f < NFUNC; f++) {
		snprintf(b, sizeof b, "%" PRIu64, func_addr(f));
		pack_str(&m, b);
		func_name(name, sizeof name, f);
		func_file(file, sizeof file, f);
		snprintf(b, sizeof b, "py:%s:%u:%s", name, func_line(f), file);
		pack_str(&m, b);
	}
	msgpack_packer_init(&p, stdout, msgpack_fbuffer_write);
	msgpack_pack_map(&p, 8);
	pack_str(&p, "version");
	msgpack_pack_int(&p, 2);
	pack_blob(&p, "cpu_profile", cpu);
	pack_blob(&p, "mem_profile", mem);
	pack_blob(&p, "addr_name_map", map);
	pack_str(&p, "project");
	pack_str(&p, "synthetic");
	pack_str(&p, "max_mem");
	msgpack_pack_int64(&p, peak);
	pack_str(&p, "period");
	msgpack_pack_int64(&p, 10000);
	pack_str(&p, "duration");
	msgpack_pack_int64(&p, 10000 * (int64_t)count);
	fprintf(stderr, "%u samples, %u tree nodes\n", count, nnode - 1);
}

/* ---- vmprof log ------------------------------------------------------- */

static void put64(uint64_t v)
{
	fwrite(&v, 8, 1, stdout);
} /* little endian host */

static void gen_vmprof(struct walk *w, uint32_t count)
{
	static const uint64_t head[5] = {0, 3, 0, 10000, 0};
	char b[256], name[64], file[128];

	fwrite(head, sizeof head, 1, stdout);
	fwrite("\5\0\6\1\7cpython", 1, 12, stdout);
	putchar(6);
	put64(1700000000);
	put64(0);
	put64(0);
	for (uint32_t i = 0; i < count; i++) {
		walk_next(w);
		putchar(1);
		put64(1);
		put64(w->depth);
		for (unsigned d = w->depth; d-- > 0;)
			put64(func_addr(w->frame[d] / FANOUT));
		put64(0x7f0000001000u);
		put64((uint64_t)w->mem);
	}
	for (uint32_t f = 0; f < NFUNC; f++) {
		func_name(name, sizeof name, f);
		func_file(file, sizeof file, f);
		int n = snprintf(b, sizeof b, "py:%s:%u:%s", name, func_line(f), file);
		putchar(2);
		put64(func_addr(f));
		put64((uint64_t)n);
		fwrite(b, 1, (size_t)n, stdout);
	}
	putchar(3);
	put64(1700000000 + count / 100);
	put64(0);
	put64(0);
}

/* ---- pprof ------------------------------------------------------------- */

static uint8_t *varint(uint8_t *p, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		*p++ = (uint8_t)v | 128;
	*p++ = (uint8_t)v;
	return p;
}

static void message(struct sink *s, unsigned field, const uint8_t *b, size_t n)
{
	uint8_t h[16], *e = varint(varint(h, field << 3 | 2), n);
	sink_write(s, (char *)h, (size_t)(e - h));
	sink_write(s, (const char *)b, n);
}

static uint8_t *number(uint8_t *p, unsigned field, uint64_t v)
{
	return varint(varint(p, field << 3), v);
}

static void gen_pprof(struct walk *w, uint32_t count)
{
	static const char *const fixed[] = {"", "samples", "count", "cpu", "nanoseconds", "thread"};
	struct sink *s = sink_open(false);
	uint8_t b[1024], ids[MAXDEPTH * 5], *e, *q;
	char str[128];
	bool fresh;

	for (unsigned i = 0; i < 2; i++) {
		e = number(number(b, 1, 1 + 2 * i), 2, 2 + 2 * i);
		message(s, 1, b, (size_t)(e - b));
	}
	bool *used = calloc(NFUNC * FANOUT, 1);
	for (uint32_t i = 0; i < count;) {
		walk_next(w);
		uint32_t n = 0;
		for (unsigned d = 0; d < w->depth; d++)
			n = intern(n, w->frame[d], &fresh);
		if (node[n].count++)
			continue;
		i++;
		q = ids;
		for (unsigned d = w->depth; d-- > 0;) {
			used[w->frame[d]] = true;
			q = varint(q, w->frame[d] + 1);
		}
		e = varint(varint(b, 1 << 3 | 2), (uint64_t)(q - ids));
		memcpy(e, ids, (size_t)(q - ids));
		e += q - ids;
		uint64_t v = 1 + zipf(rnd(w), 1000);
		q = varint(varint(ids, v), v * 10000000);
		e = varint(varint(e, 2 << 3 | 2), (uint64_t)(q - ids));
		memcpy(e, ids, (size_t)(q - ids));
		e += q - ids;
		if (rnd(w) % 4 == 0) {
			q = number(number(ids, 1, 5), 3, 1 + rnd(w) % 64);
			e = varint(varint(e, 3 << 3 | 2), (uint64_t)(q - ids));
			memcpy(e, ids, (size_t)(q - ids));
			e += q - ids;
		}
		message(s, 2, b, (size_t)(e - b));
	}
	for (uint32_t l = 0; l < NFUNC * FANOUT; l++) {
		if (!used[l])
			continue;
		uint32_t f = l / FANOUT;
		q = number(number(ids, 1, f + 1), 2, func_line(f) + l % FANOUT);
		e = number(number(b, 1, l + 1), 3, 0x400000 + (uint64_t)l * 16);
		e = varint(varint(e, 4 << 3 | 2), (uint64_t)(q - ids));
		memcpy(e, ids, (size_t)(q - ids));
		e += q - ids;
		message(s, 4, b, (size_t)(e - b));
	}
	for (uint32_t f = 0; f < NFUNC; f++) {
		e = number(number(b, 1, f + 1), 2, 6 + f);
		e = number(e, 3, 6 + f);
		e = number(number(e, 4, 6 + NFUNC + f / 25), 5, func_line(f));
		message(s, 5, b, (size_t)(e - b));
	}
	for (unsigned i = 0; i < 6; i++)
		message(s, 6, (const uint8_t *)fixed[i], strlen(fixed[i]));
	for (uint32_t f = 0; f < NFUNC; f++)
		message(s, 6, (uint8_t *)str, (size_t)func_name(str, sizeof str, f));
	for (uint32_t f = 0; f < NFUNC; f += 25)
		message(s, 6, (uint8_t *)str, (size_t)func_file(str, sizeof str, f));
	e = number(number(b, 9, 1700000000000000000u), 10, (uint64_t)count * 10000000);
	q = number(number(ids, 1, 3), 2, 4);
	e = varint(varint(e, 11 << 3 | 2), (uint64_t)(q - ids));
	memcpy(e, ids, (size_t)(q - ids));
	e = number(e + (q - ids), 12, 10000000);
	sink_write(s, (char *)b, (size_t)(e - b));
	sink_close(s);
	fprintf(stderr, "%u samples, %u tree nodes\n", count, nnode - 1);
}

/* ---- folded ------------------------------------------------------------ */

static void gen_folded(struct walk *w, uint32_t count)
{
	char name[64];
	bool fresh;

	for (uint32_t i = 0; i < count;) {
		walk_next(w);
		uint32_t n = 0;
		for (unsigned d = 0; d < w->depth; d++)
			n = intern(n, w->frame[d] / FANOUT, &fresh);
		if (node[n].count++)
			continue;
		i++;
		for (unsigned d = 0; d < w->depth; d++) {
			func_name(name, sizeof name, w->frame[d] / FANOUT);
			fputs(name, stdout);
			putchar(d + 1 < w->depth ? ';' : ' ');
		}
		printf("%u\n", 1 + zipf(rnd(w), 1000));
	}
	fprintf(stderr, "%u stacks, %u tree nodes\n", count, nnode - 1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(struct walk *, uint32_t);
		unsigned spread;
	} format[] = {
		{"envelope", gen_envelope, 24},
		{"vmprof", gen_vmprof, 24},
		{"pprof", gen_pprof, 100},
		{"folded", gen_folded, 100},
	};
	struct walk w;

	for (size_t i = 0; argc > 2 && i < sizeof format / sizeof *format; i++)
		if (strcmp(argv[1], format[i].name) == 0) {
			walk_init(&w, argc > 3 ? strtoull(argv[3], NULL, 10) : 1, format[i].spread);
			format[i].run(&w, (uint32_t)strtoul(argv[2], NULL, 10));
			return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
		}
	fprintf(stderr, "usage: genprof envelope|vmprof|pprof|folded COUNT [SEED] > FILE\n");
	return 2;
}
