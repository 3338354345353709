// Values that are asked for, and others near the words of a question: in prose, lists, tables, comments, code
// and settings.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { scratchWith } from '../../../support/scratch.ts'

async function verdictOf(path: string, text: string, question: string) {
  const dir = scratchWith({ [path]: text })
  const files = [{ path, real: join(dir, path) }]
  const found = await findPassages({ files, question, limit: 8, signal: new AbortController().signal })
  return found.coverage.verdict
}

/** Things that are counted, each with something else that its texts also count. */
const things = [
  { many: 'retries', one: 'retry', act: 'make', other: 'delay', name: 'retry' },
  { many: 'workers', one: 'worker', act: 'start', other: 'queue', name: 'worker' },
  { many: 'sessions', one: 'session', act: 'open', other: 'cookie', name: 'session' },
] as const
type Thing = (typeof things)[number]

const title = (many: string) => many[0]?.toUpperCase() + many.slice(1)
const questionOf = ({ many, act }: Thing) => `How many ${many} does the client ${act} by default?`

/** Texts in which a number is near the words, but counts or names something else. */
const distracting: readonly [string, string, (thing: Thing) => string][] = [
  ['another noun', 'a.md', ({ many, act }) => `The client may ${act} ${many} by default and logs 3 lines.`],
  [
    'the next sentence',
    'a.md',
    ({ many, act, other }) => `By default the client can ${act} ${many}. The ${other} is 30.`,
  ],
  ['a status', 'a.md', ({ many, act }) => `By default the client will ${act} ${many} after status 429.`],
  ['a year', 'a.md', ({ many, act }) => `The client can ${act} ${many} by default since 2019.`],
  ['a version', 'a.md', ({ many, act }) => `The client can ${act} ${many} by default since version 4.`],
  ['a standard', 'a.md', ({ many, act }) => `By default the client will ${act} ${many} as in RFC 7230.`],
  ['an issue', 'a.md', ({ many, act }) => `By default the client can ${act} ${many} (see #12).`],
  ['a denial', 'a.md', ({ many, act }) => `The client does not ${act} 5 ${many} by default, but others.`],
  [
    'an item of a list',
    'a.md',
    ({ many, act, other }) =>
      `## ${title(many)}\n\nThe client can ${act} ${many}. Default:\n\n- \`${other}\`: \`7\`\n`,
  ],
  [
    'the number of an item',
    'a.md',
    ({ many, act }) => `## ${title(many)}\n\n1. The client can ${act} ${many} by default.\n2. It stops.\n`,
  ],
  [
    'an example',
    'a.md',
    ({ many, one, act }) =>
      `## ${title(many)}\n\nThe client can ${act} ${many} by default.\n\n` +
      `\`\`\`js\nclient({${one}: {limit: 9}})\n\`\`\`\n`,
  ],
  [
    'another column',
    'a.md',
    ({ many, act, other }) =>
      `The client can ${act} these by default.\n\n| option | ${other} |\n|---|---|\n| ${many} | 30 bytes |\n`,
  ],
  [
    'another constant',
    'src/a.ts',
    ({ many, act, other }) =>
      `// By default the client can ${act} ${many}.\n\nexport const ${other}Limit = 30\n`,
  ],
  [
    'a variable in a body',
    'src/a.ts',
    ({ many, act, name }) =>
      `/** The ${many} that the client can ${act} by default. */\nexport function ${name}Loop() {\n` +
      '  let at = 5\n  return next(at)\n}\n',
  ],
  [
    'an argument',
    'src/a.c',
    ({ many, act }) =>
      `/* The client can ${act} ${many} by default. */\nint ${act}_${many}(int fd)\n{\n` +
      `        write_all (fd, ${many}, 3);\n        return fd;\n}\n`,
  ],
  [
    'a negative number',
    'src/a.c',
    ({ many, act }) =>
      `/* Default ${many} that the client can ${act}. If they are missing, -1 is returned. */\n` +
      `int ${act}_all(int fd);\n`,
  ],
  [
    'an example of a comment',
    'src/a.ts',
    ({ many, one, act }) =>
      `export interface Options {\n  /**\n  The ${many} that the client can ${act} by default.\n\n` +
      `  @example\n  client({\n    ${one}: {limit: 3},\n  })\n  */\n  ${one}?: Rule\n}\n`,
  ],
  [
    'another setting',
    'a.ini',
    ({ many, act, other }) =>
      `; Default ${many} that the client can ${act}\n;\n\n[${other}]\n${other}_size = 30\n`,
  ],
]

/** Texts that state the number. */
const stating: readonly [string, string, (thing: Thing) => string][] = [
  ['a sentence', 'a.md', ({ many, act }) => `By default the client will ${act} 3 ${many}.`],
  ['a number in words', 'a.md', ({ many, act }) => `By default the client will ${act} three ${many}.`],
  [
    'a sentence that refers to the previous one',
    'a.md',
    ({ many, act }) => `The client can ${act} ${many}. The default is 3.`,
  ],
  [
    'an item of a list',
    'a.md',
    ({ many, act }) => `## ${title(many)}\n\nWhat the client can ${act}. Default:\n\n- \`limit\`: \`3\`\n`,
  ],
  [
    'a table',
    'a.md',
    ({ many, act }) =>
      `| option | meaning | default |\n|---|---|---|\n| \`--n\` | ${many} that the client can ${act} | 3 |\n`,
  ],
  ['an option', 'a.md', ({ many, act }) => `- \`--n N\`: ${many} that the client can ${act}. Default: 3.\n`],
  [
    'a tag',
    'src/a.ts',
    ({ many, act }) =>
      `export interface Options {\n  /**\n  The ${many} that the client can ${act}.\n\n  @default 3\n  */\n` +
      `  limit?: number\n}\n`,
  ],
  [
    'a constant',
    'src/a.ts',
    ({ many, act }) => `/** The ${many} that the client can ${act}. */\nexport const ${many}Limit = 3\n`,
  ],
  ['a parameter', 'src/a.py', ({ many, act }) => `def client_${act}(${many}=3, delay=10):\n    pass\n`],
  [
    'a macro',
    'src/a.h',
    ({ many, act }) => `/* The ${many} that the client can ${act}. */\n#define MAX_${many.toUpperCase()} 3\n`,
  ],
  [
    'an object',
    'src/a.ts',
    ({ many, act }) =>
      `/** What the client can ${act}. */\nexport const client = {\n  ${many}: {\n    limit: 3,\n  },\n}\n`,
  ],
  ['a setting', 'a.ini', ({ many, act }) => `; ${title(many)} that the client can ${act}\n${many} = 3\n`],
]

const rowsOf = (table: typeof distracting) =>
  table.flatMap(([form, path, text]) => things.map((thing) => ({ form, path, thing, text: text(thing) })))

test.each(rowsOf(distracting))(
  '$thing.many by default: $form does not answer',
  async ({ path, text, thing }) => {
    expect([text, await verdictOf(path, `${text}\n`, questionOf(thing))]).not.toEqual([text, 'found'])
  },
)

test.each(rowsOf(stating))('$thing.many by default: $form answers', async ({ path, text, thing }) => {
  expect([text, await verdictOf(path, `${text}\n`, questionOf(thing))]).toEqual([text, 'found'])
})

test.each([
  ['Which exit code does a broken depot use?', 'A broken depot uses exit code 4.', 'found'],
  ['Which exit code does a broken depot use?', 'A broken depot can use 4 exit code tables.', 'partial'],
  ['How long does the depot keep a harvester?', 'The depot keeps a harvester for 3 days.', 'found'],
  ['How long does the depot keep a harvester?', 'The depot keeps a harvester after 3 attempts.', 'partial'],
  [
    'How many seconds does the depot wait?',
    'Timeout: seconds that the depot waits.\n\nTimeout: 600',
    'partial',
  ],
  ['What does the default depot handler do?', 'The default depot handler does nothing.', 'found'],
  [
    'What stops a depot after a number of rounds?',
    'A rule stops the depot after a number of rounds.',
    'found',
  ],
  [
    'May a depot take positional arguments?',
    'A depot takes an index. Arguments are refused by a depot.',
    'partial',
  ],
  [
    'Which depot is the default?',
    '## Depots\n\nIf rows are enabled, names have 4 letters by default.',
    'partial',
  ],
  [
    'What is the default depot limit?',
    "The default limit of a depot isn't fixed, it's the owner's.",
    'partial',
  ],
  [
    'Where does the depot keep oil by default?',
    'It is red by default. The depot keeps oil in a shed.',
    'partial',
  ],
  ['Where does the depot keep oil by default?', 'By default the depot keeps oil in a shed.', 'found'],
] as const)('%s %s', async (question, text, verdict) => {
  expect(await verdictOf('a.md', `${text}\n`, question)).toBe(verdict)
})

test.each([
  ['How hot is the kiln fired?', 'The kiln is fired at 900 degrees.', 'found'],
  ['How thick is the wall of the kiln?', 'The wall of the kiln has 12 inches.', 'found'],
  ['How hot is the kiln fired?', 'The kiln is fired in the yard.', 'partial'],
  ['How safe is the kiln?', 'The kiln stands in the yard.', 'partial'],
])('%s with "%s": %s', async (question, text, verdict) => {
  expect(await verdictOf('a.md', `# Yard\n\n${text}\n`, question)).toBe(verdict)
})
