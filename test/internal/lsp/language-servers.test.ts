// Every operation, and diagnostics by version, against the real servers.
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LspQuery } from '../../../internal/tool/lsp.ts'
import { at, never, question, realEntry, serve } from '../../support/language-servers.ts'
import { scratchWith } from '../../support/scratch.ts'

interface Project {
  server: string
  files: Record<string, string>
  /** The file that is asked about. */
  file: string
  /** Operation, position as a mark in the file, what has to come out: `file:line:character name`. */
  rows: [LspQuery['operation'], string, string[]][]
  hover?: [string, RegExp]
  /** A change, and the message it must bring. */
  breaks: [string, string, RegExp]
}

const projects: Project[] = [
  {
    server: 'typescript',
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "target": "es2022", "types": [] }, "include": ["*.ts"] }',
      'shape.ts': [
        'export interface Shape { area(): number }',
        'export class Square implements Shape {',
        '  constructor(readonly side: number) {}',
        '  area(): number { return this.side ** 2 }',
        '}',
        'export function total(shapes: Shape[]): number {',
        '  return shapes.reduce((sum, shape) => sum + shape.area(), 0)',
        '}',
        '',
      ].join('\n'),
      'use.ts':
        "import { Square, total } from './shape'\n\nexport function run(): number {\n  return total([new Square(2)])\n}\n",
    },
    file: 'shape.ts',
    rows: [
      ['findReferences', 'total(shapes', ['use.ts:0:17', 'use.ts:3:9']],
      ['goToDefinition', 'side ** 2', ['shape.ts:2:23']],
      ['goToImplementation', 'Shape {', ['shape.ts:1:13']],
      ['documentSymbol', '', ['shape.ts:0:17 Shape', 'shape.ts:0:25 area', 'shape.ts:1:13 Square']],
      ['workspaceSymbol', 'Square', ['shape.ts:1:0 Square']],
      ['prepareCallHierarchy', 'total(shapes', ['shape.ts:5:16 total']],
      ['incomingCalls', 'total(shapes', ['use.ts:3:9 run']],
      ['outgoingCalls', 'total(shapes', ['shape.ts:0:25 area']],
    ],
    hover: ['total(shapes', /function total\(shapes: Shape\[\]\): number/],
    breaks: ['return this.side ** 2', 'return "large"', /Type 'string' is not assignable to type 'number'/],
  },
  {
    server: 'pyright',
    files: {
      'shape.py': [
        'class Shape:',
        '    def area(self) -> float:',
        '        return 0.0',
        '',
        '',
        'def total(shapes: list[Shape]) -> float:',
        '    return sum(shape.area() for shape in shapes)',
        '',
      ].join('\n'),
      'use.py': 'from shape import Shape, total\n\n\ndef run() -> float:\n    return total([Shape()])\n',
    },
    file: 'shape.py',
    rows: [
      ['findReferences', 'total(shapes', ['use.py:0:25', 'use.py:4:11']],
      ['goToDefinition', 'area() for', ['shape.py:1:8']],
      ['documentSymbol', '', ['shape.py:0:6 Shape', 'shape.py:1:8 area', 'shape.py:5:4 total']],
      ['workspaceSymbol', 'total', ['shape.py:5:4 total']],
      ['prepareCallHierarchy', 'total(shapes', ['shape.py:5:4 total']],
      ['incomingCalls', 'total(shapes', ['use.py:4:11 run']],
      ['outgoingCalls', 'total(shapes', ['shape.py:1:8 area']],
    ],
    hover: ['total(shapes', /total\(shapes: list\[Shape\]\) -> float/],
    breaks: ['return 0.0', 'return "large"', /is not assignable to return type "float"/],
  },
  {
    server: 'bash',
    files: {
      'lib.sh': '#!/bin/bash\ngreet() {\n  echo "hello $1"\n}\n',
      'run.sh': '#!/bin/bash\nsource ./lib.sh\ngreet world\n',
    },
    file: 'run.sh',
    rows: [
      ['goToDefinition', 'greet', ['lib.sh:1:0']],
      ['findReferences', 'greet', ['lib.sh:1:0']],
      ['workspaceSymbol', 'greet', ['lib.sh:1:0 greet']],
    ],
    hover: ['greet', /greet/],
    breaks: ['./lib.sh', './gone.sh', /failed to resolve path/],
  },
  {
    server: 'json',
    files: { 'a.json': '{\n  "name": "anode",\n  "deep": { "leaf": 1 }\n}\n' },
    file: 'a.json',
    rows: [['documentSymbol', '', ['a.json:1:2 name', 'a.json:2:2 deep', 'a.json:2:12 leaf']]],
    breaks: ['"leaf": 1', '"leaf": ', /Value expected/],
  },
]

describe.each(projects)('$server', { timeout: 120_000 }, ({ server, files, file, rows, hover, breaks }) => {
  const text = files[file] as string
  const start = () => {
    const dir = scratchWith(files)
    return { dir, path: join(dir, file), servers: serve(dir, [realEntry(server)]) }
  }

  it('answers every operation that it offers', async () => {
    const { dir, path, servers } = start()
    for (const [operation, mark, wanted] of rows) {
      const where = operation === 'workspaceSymbol' ? { text: mark } : { file: path, at: at(text, mark) }
      const { hits } = await servers.query(question(operation, where), never)
      const found = hits.map((hit) =>
        `${relative(dir, hit.path)}:${hit.line}:${hit.character} ${hit.name ?? ''}`.trim(),
      )
      expect([operation, ...found]).toEqual(expect.arrayContaining([operation, ...wanted]))
    }
    if (hover) {
      const answer = await servers.query(question('hover', { file: path, at: at(text, hover[0]) }), never)
      expect(answer.text).toMatch(hover[1])
    }
  })

  it('gives the diagnostics of the version on disk', async () => {
    const { path, servers } = start()
    const [old, broken, message] = breaks
    const inspectServer = async () => (await servers.diagnose([path], 30_000, never))[0]
    expect((await inspectServer())?.state).toBe('fresh')
    writeFileSync(path, text.replace(old, broken))
    const second = await inspectServer()
    expect(second?.state).toBe('fresh')
    expect(second?.diagnostics.map((one) => one.message).join('\n')).toMatch(message)
    writeFileSync(path, text)
    const third = await inspectServer()
    expect(third).toMatchObject({ state: 'fresh', change: { added: 0, fixed: second?.diagnostics.length } })
  })
})
