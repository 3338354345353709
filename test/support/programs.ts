// Random programs of several languages whose units are known, because they are written one after another.

/** A definition with its comment. Lines count from 1 and include both ends. */
export interface KnownUnit {
  name: string
  from: number
  to: number
  chars: number
  /** A line of the unit that no other unit has. */
  word: string
}

export interface WrittenProgram {
  path: string
  text: string
  units: readonly KnownUnit[]
}

/** How a language writes a comment, a function, a constant and a group of functions, as lines. */
interface Dialect {
  path: string
  comment(lines: readonly string[]): string[]
  /** The comment of a license, which belongs to no definition. */
  license(lines: readonly string[]): string[]
  constant(name: string, value: number): string[]
  func(name: string, body: readonly string[], isMember: boolean, doc: readonly string[]): string[]
  group?(name: string): { head: string[]; end: string[] }
  statement(words: string): string
  /** A block of several lines inside a body, with a blank line in it. */
  block(words: string): string[]
}

const slashes = (lines: readonly string[]) => lines.map((line) => `// ${line}`)
const stars = (lines: readonly string[]) => ['/**', ...lines.map((line) => ` * ${line}`), ' */']
const bare = (lines: readonly string[]) => [
  `/* ${lines[0]}`,
  '',
  ...lines.slice(1).map((line) => `   ${line}`),
  '*/',
]
const hashes = (lines: readonly string[]) => lines.map((line) => `# ${line}`)
const indent = (lines: readonly string[], by: string) => lines.map((line) => (line === '' ? '' : by + line))

export const dialects: Readonly<Record<string, Dialect>> = {
  typescript: {
    path: 'src/a.ts',
    comment: stars,
    license: bare,
    constant: (name, value) => [`export const ${name} = ${value}`],
    func: (name, body, isMember) => [
      isMember ? `async ${name}(` : `export function ${name}<T>(`,
      '  input: string,',
      '): Promise<T> {',
      ...indent(body, '  '),
      '}',
    ],
    group: (name) => ({ head: [`export class ${name} extends Base {`, '  #count = 0', ''], end: ['}'] }),
    statement: (words) => `step('${words}', { on: "}" })`,
    block: (words) => ['const text = `', `${words} {`, '', '`', 'if (text) {', '', `  go("${words}")`, '}'],
  },
  python: {
    path: 'src/a.py',
    comment: hashes,
    license: hashes,
    constant: (name, value) => [`${name}: int = ${value}`],
    func: (name, body, isMember, doc) => [
      '@retry(',
      '    times=3,',
      ')',
      `def ${name}(`,
      `    ${isMember ? 'self' : 'first'},`,
      '    other: str = "x:",',
      ') -> None:',
      ...indent([`"""${doc.join('\n')}`, '', 'More words.', '"""'].join('\n').split('\n'), '    '),
      ...indent(body, '    '),
    ],
    group: (name) => ({ head: [`class ${name}(Base):`, '    """A group."""', '    count = 0', ''], end: [] }),
    statement: (words) => `step("${words}", "{")`,
    block: (words) => ['if ready:', '', `    go("${words}")`, '# A note.', 'else:', '    stop()'],
  },
  go: {
    path: 'src/a.go',
    comment: slashes,
    license: slashes,
    constant: (name, value) => [`const ${name} = ${value}`],
    func: (name, body) => [`func (c *Conn) ${name}(`, '\ta string,', ') error {', ...indent(body, '\t'), '}'],
    statement: (words) => `step("${words}", "{")`,
    block: (words) => ['if ready {', '', `\tgo(\`${words} {`, '', 'x`)', '} else {', '\tstop()', '}'],
  },
  rust: {
    path: 'src/a.rs',
    comment: (lines) => lines.map((line) => `/// ${line}`),
    license: slashes,
    constant: (name, value) => [`pub const ${name}: usize = ${value};`],
    func: (name, body) => [
      '#[inline]',
      `pub fn ${name}<T>(a: T) -> u8`,
      'where',
      '    T: Clone,',
      '{',
      ...indent(body, '    '),
      '}',
    ],
    group: (name) => ({ head: [`impl ${name} {`], end: ['}'] }),
    statement: (words) => `step("${words}", '{');`,
    block: (words) => ['match ready {', '', `    Some(_) => go("${words}"),`, '    None => {}', '}'],
  },
  c: {
    path: 'src/a.c',
    comment: stars,
    license: bare,
    constant: (name, value) => [`#define ${name} \\`, `    ${value}`],
    func: (name, body) => [
      'static int',
      `${name}(struct conn *c,`,
      '     int b)',
      '{',
      ...indent(body, '    '),
      '}',
    ],
    statement: (words) => `step("${words}", '{');`,
    block: (words) => [
      'if (ready) {',
      '',
      '#ifdef X',
      `    go("${words}");`,
      '#endif',
      '} else',
      '    stop();',
    ],
  },
}

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo'.split(' ')

/** Writes a program of about ten units. `random` returns numbers from 0 to 1. */
export function writeProgram(dialect: Dialect, random: () => number): WrittenProgram {
  const lines: string[] = []
  const units: KnownUnit[] = []
  const below = (most: number) => Math.floor(random() * most)
  const word = () => Array.from({ length: 4 }, () => syllables[below(syllables.length)]).join('')
  const push = (own: readonly string[], name: string, unique: string) => {
    const from = lines.length + 1
    lines.push(...own)
    units.push({ name, from, to: lines.length, chars: own.join('\n').length, word: unique })
  }
  const writeFunction = (by: string, isMember: boolean) => {
    const [name, unique] = [word(), word()]
    const doc = Array.from(
      { length: 1 + below(4) },
      (_, i) => `Describes ${i === 0 ? name : word()} for a reader.`,
    )
    const size = random() < 0.25 ? 40 + below(40) : 1 + below(8)
    const body = Array.from({ length: size }, (_, i) =>
      i % 6 === 4
        ? ['', ...dialect.comment([`Then ${word()}.`]), ...dialect.block(word())]
        : [dialect.statement(word())],
    ).flat()
    const at = below(size)
    body.splice(at, 0, dialect.statement(unique))
    const text = dialect.func(name, [...body, dialect.statement(word())], isMember, doc)
    push(indent([...dialect.comment(doc), ...text].join('\n').split('\n'), by), name, unique)
  }
  lines.push(
    ...dialect.license([
      'Copyright of the authors.',
      `All rights reserved by ${word()}.`,
      'See the license.',
    ]),
    '',
  )
  for (let n = 0; n < 7; n++) {
    const kind = random()
    if (kind < 0.3) {
      const [name, unique] = [word().toUpperCase(), word()]
      push(
        [...dialect.comment([`The limit of ${unique}.`]), ...dialect.constant(name, below(99))],
        name,
        unique,
      )
    } else if (kind < 0.55 && dialect.group) {
      const name = `G${word()}`
      const { head, end } = dialect.group(name)
      const from = lines.length + 1
      lines.push(...head)
      for (let m = 0; m < 3; m++) {
        writeFunction(dialect.path.endsWith('.ts') ? '  ' : '    ', true)
        if (m < 2) lines.push('')
      }
      lines.push(...end)
      const chars = lines.slice(from - 1).join('\n').length
      units.push({ name, from, to: lines.length, chars, word: name })
    } else writeFunction('', false)
    lines.push('', ...(dialect.path.endsWith('.py') ? [''] : []))
  }
  return { path: dialect.path, text: `${lines.join('\n').trimEnd()}\n`, units }
}
