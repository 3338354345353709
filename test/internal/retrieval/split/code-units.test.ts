// Units of programs in several languages: each reaches from its comment to its last line.
import { expect, test } from 'vitest'
import { listCodeUnits } from '../../../../internal/retrieval/split/code-units.ts'
import { linesOfText, splitFile } from '../../../../internal/retrieval/split-file.ts'
import { leastCost } from '../../../support/cost.ts'
import { rng } from '../../../support/rng.ts'

/** Returns each unit as its name with its first and last line, from 1. */
const unitsOf = (text: string, path: string) =>
  listCodeUnits(linesOfText(text), path).map(({ name, from, to }) => [name, from + 1, to + 1])

const cases: Record<string, { path: string; text: string; units: (string | number)[][] }> = {
  'a function in C with its brace on a line alone, a label and a directive': {
    path: 'a.c',
    text: '/*\n * Adds.\n */\nint add (int a)\n{\n        if (a)\n                goto end;\n#ifdef X\n        a++;\n#endif\nend:\n        return a;\n}\n\nint b;\n',
    units: [['add', 1, 13]],
  },
  'a method in Python with a decorator, a docstring and an inner function': {
    path: 'a.py',
    text: 'class A:\n    """Text."""\n\n    @staticmethod\n    def run(\n        x,\n    ):\n        """One\n\nTwo\n        """\n        def inner():\n            pass\n\n        return inner\n\n    def next(self):\n        return 1\n',
    units: [
      ['A', 1, 18],
      ['run', 4, 15],
      ['next', 17, 18],
    ],
  },
  'a signature of several lines in TypeScript': {
    path: 'a.ts',
    text: '/** Runs. */\nexport function run(\n  a: string,\n): void {\n  go(a)\n\n  go(a)\n}\n\nexport const x =\n  5\nexport const y = 6\n',
    units: [
      ['run', 1, 8],
      ['x', 10, 11],
      ['y', 12, 12],
    ],
  },
  'methods of an implementation in Rust': {
    path: 'a.rs',
    text: 'impl Reader for File {\n    /// Reads.\n    fn read(&self) {\n        x();\n    }\n}\n',
    units: [
      ['File', 1, 6],
      ['read', 2, 5],
    ],
  },
  'a function in Go after a comment that a blank line separates': {
    path: 'a.go',
    text: '// About the file.\n\n// Open opens.\nfunc Open() error {\n\treturn nil\n}\n',
    units: [['Open', 3, 6]],
  },
  'a function in C with its type on its own line, a label that ends in a semicolon and a comment at the margin':
    {
      path: 'a.c',
      text: 'static int\nrun(int a)\n{\n    if (a)\n        goto err;\n/* a note\n\n   continues */\n    return 0;\nerr:;\n    return 1;\n}\n\n#define MOST \\\n    5\n/* later */\nint b;\n',
      units: [
        ['run', 1, 12],
        ['MOST', 14, 15],
      ],
    },
  'a function in Rust with bounds, and a raw string with a brace': {
    path: 'a.rs',
    text: '#[allow(\n    dead_code\n)]\npub fn run<T>(a: T) -> u8\nwhere\n    T: Clone,\n{\n    go(r#"\n}\n"#);\n    1\n}\n',
    units: [['run', 1, 12]],
  },
  'a method in TypeScript with open parameters and a template of several lines': {
    path: 'a.ts',
    text: '/* A license\n\n   of the authors. */\n\nclass A {\n  async run(\n    a: string,\n  ): Promise<void> {\n    go(`\n}\n`)\n    const tick = /`/\n  }\n\n  next() {\n    return 1\n  }\n}\n',
    units: [
      ['A', 5, 18],
      ['run', 6, 13],
      ['next', 15, 17],
    ],
  },
  'a function in Ruby that ends with end': {
    path: 'a.rb',
    text: 'def run\n  if x\n    y\n  end\nend\n\nputs 1\n',
    units: [['run', 1, 5]],
  },
}

for (const [title, { path, text, units }] of Object.entries(cases)) {
  test(`finds ${title}`, () => {
    expect(unitsOf(text, path)).toEqual(units)
  })
}

test('keeps every definition of up to 1,500 characters in one passage', () => {
  const random = rng(7)
  for (let round = 0; round < 60; round++) {
    const sizes = Array.from({ length: 8 }, () => 1 + Math.floor(random() * 40))
    const functions = sizes.map((size, i) => {
      const body = Array.from({ length: size }, (_, n) => `${n % 5 === 4 ? '\n' : ''}  step(${n}, 'words')`)
      return `/** Does ${i}. */\nexport function run${i}() {\n${body.join('\n')}\n}\n`
    })
    const lines = linesOfText(functions.join('\n'))
    const passages = splitFile(lines, 'a.ts', 'code').map(({ from, to }) =>
      lines.slice(from - 1, to).join('\n'),
    )
    for (const [i, own] of functions.entries()) {
      const begins = passages.filter((text) => text.includes(`/** Does ${i}. */`))
      expect(begins, `function ${i} of round ${round}`).toHaveLength(1)
      if (own.length <= 1_500) expect(begins[0]).toContain(own.trim())
    }
  }
})

test('lists the lines of hostile files in a second', () => {
  const deep = Array.from({ length: 20_000 }, (_, i) => `${' '.repeat(i % 8)}class A${i}:`).join('\n')
  for (const text of [deep, '"""\n'.repeat(9_999), `${'def f():\n'.repeat(20_000)}`, '{\n'.repeat(30_000)]) {
    const list = (path: string) => () => listCodeUnits(linesOfText(text), path)
    for (const path of ['a.py', 'a.c', 'a.ts']) expect(leastCost(1_000, list(path)), path).toBeLessThan(1_000)
  }
})
