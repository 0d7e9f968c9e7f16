/* SPDX-License-Identifier: MIT */
#include "format/folded_number.h"

enum {
	NUMBER_DIGITS = 18,          /* that fit into int64 whatever they are */
	NUMBER_MAX_EXPONENT = 100000 /* past this everything is too large, or 0 */
};

static bool number_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds a digit; one that cannot be kept only counts as a place. */
static void number_add(struct folded_number *number, char c, bool is_fraction)
{
	const unsigned digit = (unsigned)(c - '0');
	uint64_t more;
	if (__builtin_mul_overflow(number->digits, UINT64_C(10), &more) ||
		__builtin_add_overflow(more, digit, &more)) {
		number->is_rounded |= digit != 0;
		number->exponent += !is_fraction;
		return;
	}
	number->digits = more;
	number->exponent -= is_fraction;
}

static bool number_exponent(const char *text, size_t length, int64_t *exponent)
{
	const bool is_negative = length > 0 && text[0] == '-';
	size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
	int64_t value = 0;
	if (i == length)
		return false;
	for (; i < length; i++) {
		if (!number_is_digit(text[i]))
			return false;
		if (value < NUMBER_MAX_EXPONENT)
			value = value * 10 + (text[i] - '0');
	}
	*exponent = is_negative ? -value : value;
	return true;
}

/* As few decimals as the number needs. */
static void number_shorten(struct folded_number *number)
{
	if (number->digits == 0)
		number->exponent = 0;
	while (number->exponent < 0 && number->digits % 10 == 0) {
		number->digits /= 10;
		number->exponent++;
	}
}

bool folded_number_parse(const char *text, size_t length, struct folded_number *number)
{
	*number = (struct folded_number){0};
	size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
	number->is_negative = i > 0 && text[0] == '-';
	if (i == length || !number_is_digit(text[i]))
		return false;
	if (length - i <= NUMBER_DIGITS)
		for (; i < length && number_is_digit(text[i]); i++)
			number->digits = number->digits * 10 + (unsigned)(text[i] - '0');
	else
		for (; i < length && number_is_digit(text[i]); i++)
			number_add(number, text[i], false);
	if (i == length)
		return true;
	if (text[i] == '.')
		for (i++; i < length && number_is_digit(text[i]); i++)
			number_add(number, text[i], true);
	if (i < length) {
		int64_t exponent;
		if ((text[i] != 'e' && text[i] != 'E') ||
			!number_exponent(text + i + 1, length - i - 1, &exponent))
			return false;
		number->exponent += exponent;
	}
	number_shorten(number);
	return true;
}

int64_t folded_number_decimals(const struct folded_number *number)
{
	return number->exponent < 0 ? -number->exponent : 0;
}

int64_t folded_number_scaled(
	const struct folded_number *number, int decimals, bool *is_rounded, bool *is_saturated)
{
	uint64_t value = number->digits;
	int64_t exponent = number->exponent + decimals;
	bool is_up = false;
	for (; exponent < 0 && value > 0; exponent++) {
		is_up = value % 10 >= 5;
		*is_rounded |= value % 10 != 0;
		value /= 10;
	}
	value += is_up && exponent == 0;
	bool is_large = false;
	for (; exponent > 0 && value > 0 && !is_large; exponent--)
		is_large = __builtin_mul_overflow(value, UINT64_C(10), &value);
	if (is_large || value > INT64_MAX) {
		*is_saturated = true;
		value = INT64_MAX;
	} else if (number->is_rounded) {
		*is_rounded = true;
	}
	return number->is_negative ? -(int64_t)value : (int64_t)value;
}
