// jq filters that look at nothing but their input.
import { expect, test } from 'vitest'
import { jqReads } from '../../../../../internal/policy/shell/programs/jq.ts'

test.each([
  ...[
    '.',
    '.a',
    '.a.b',
    '.scripts',
    '.[0]',
    '.[]|.name',
    '.a[1:3]',
    '"\\(.a): \\(.b)"',
    'map(select(.x > 1))',
    'keys',
    '.["a b"]',
  ],
  ...[
    '{a, b: .c}',
    '{env: .env, import}',
    '[.[] | {name: .n, v: (.a + 1)}]',
    '.a // "x"',
    'to_entries[] | "\\(.key)=\\(.value)"',
    '.a as $x | $x',
  ],
  ...[
    '@csv',
    '.[] | [.a, .b] | @tsv',
    'length',
    'group_by(.a) | map({a: .[0].a, n: length})',
    'if .a then 1 else 2 end',
    '..',
    '.a?',
    '.. | strings',
  ],
  ...['reduce .[] as $x (0; . + $x)', '$name', 'test("env")', '"import"', '.env', '.a |= 1', 'del(.x)'],
])('%j reads its input', (filter) => expect(jqReads(filter)).toBe(true))

test.each([
  ...[
    'env',
    'env.HOME',
    '$ENV',
    '$ENV.X',
    '"\\(env)"',
    '"\\($ENV.X)"',
    '"a\\("b\\(env)")"',
    'import "a" as $a; $a',
    'include "a"; .',
    'input_filename',
  ],
  ...[
    '{a: env}',
    '{(env): 1}',
    '{a: (1, env)}',
    '[1, env]',
    '{"a": 1, b: env}',
    'modulemeta',
    'get_search_list',
    '$__prog_args',
    '$__loc__',
    '@base64|{a:env}',
  ],
  ...[
    'def f: env; f',
    '.a | getpath(env)',
    'input_line_number',
    '"unclosed',
    '(',
    ')',
    '{]',
    '.a # x',
    "'x'",
    'env // 1',
    '[.[]|env]',
    'ltrimstr(env)',
  ],
])('%j may read more', (filter) => expect(jqReads(filter)).toBe(false))
