// Two small pieces of work whose speed depends on the compiler: a matrix product and a shell sort.
#include <stdint.h>
#include <stdio.h>

enum { size = 128, rounds = 12, count = 160000 };

static double a[size][size], b[size][size], c[size][size];
static uint32_t numbers[count];

/* xorshift32 (Marsaglia, 2003): the same numbers everywhere. */
static uint32_t draw(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static void multiply(void) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = 0;
      for (int k = 0; k < size; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

/* Compensated sum (Kahan, 1965): right only as long as the compiler does not treat arithmetic as associative. */
static double total(void) {
  double sum = 0, lost = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double term = c[i][j] / 3.0 - lost;
      double next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
  return sum;
}

static void sort(void) {
  static const int gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (int i = gaps[g]; i < count; i++) {
      uint32_t value = numbers[i];
      int at = i;
      for (; at >= gaps[g] && numbers[at - gaps[g]] > value; at -= gaps[g]) numbers[at] = numbers[at - gaps[g]];
      numbers[at] = value;
    }
}

int main(void) {
  uint32_t state = 2463534242u;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      a[i][j] = draw(&state) / 4294967296.0;
      b[i][j] = draw(&state) / 4294967296.0 - 0.5;
    }
  double sum = 0;
  for (int round = 0; round < rounds; round++) {
    multiply();
    sum += total();
    a[round][round] += 1.0;
  }
  for (int i = 0; i < count; i++) numbers[i] = draw(&state);
  sort();
  uint64_t mixed = 0;
  for (int i = 0; i < count; i++) mixed = mixed * 31 + numbers[i];
  printf("%.17g %llu\n", sum, (unsigned long long)mixed);
  return 0;
}
