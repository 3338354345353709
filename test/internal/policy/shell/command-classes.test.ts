// Commands that are known to only read, or only test and build.
import { expect, test } from 'vitest'
import { classifyPart } from '../../../../internal/policy/shell/command-classes.ts'
import type { ShellPart } from '../../../../internal/policy/shell/shell-part.ts'

const part = (line: string, more: Partial<ShellPart> = {}): ShellPart => {
  const words = line.split(' ')
  return {
    ...{
      words,
      known: words.length,
      opaque: undefined,
      unseen: false,
      unknown: false,
      operands: [],
      truncated: false,
      writes: [],
      reads: [],
      globs: [],
      via: [],
    },
    ...more,
  }
}

test.each([
  ['ls -la src', ['src']],
  ['cat a b', ['a', 'b']],
  ['head -n 5 a', ['a']],
  ['head -5 a', ['a']],
  ['tail +3 a', ['a']],
  ['wc -l', []],
  ['grep -in --include=*.ts x a', ['a']],
  ['echo /etc/passwd', []],
  ['find . -name x -type f', ['.']],
  ['cat -- -n', ['-n']],
  ['git log -1', undefined],
  ['test -f a', ['a']],
  ['date +%F', ['+%F']],
])('%s reads', (line, files) => {
  const found = classifyPart(part(line))
  expect(found?.class).toBe('reading')
  if (files && !/^(?:date)/.test(line)) expect(found?.files).toEqual(files)
})

test.each([
  ...[
    'npm test',
    'npm run build',
    'npm run test:unit --silent',
    'pnpm lint',
    'yarn run check',
    'bun test',
    'deno test',
  ],
  ...[
    'vitest run',
    'jest --coverage a',
    'tsc --noEmit -p x',
    'eslint src',
    'biome check src',
    'prettier --check .',
  ],
  ...[
    'pytest -q',
    'python -m pytest a',
    'python3 -m unittest',
    'ruff check',
    'mypy src',
    'go test ./...',
    'go vet ./...',
  ],
  ...[
    'cargo clippy --all-targets',
    'make -j4 test',
    'cmake --build build',
    'mvn -q test',
    './gradlew test',
    'dotnet test',
  ],
  ...['node_modules/.bin/tsc --noEmit', './node_modules/.bin/jest', 'node --test test', 'shellcheck a.sh'],
])('%s builds', (line) => expect(classifyPart(part(line))?.class).toBe('building'))

test.each([
  ...[
    'rm a',
    'cp a b',
    'tee a',
    'curl x',
    'env',
    'printenv',
    './ls',
    '/bin/ls',
    'ls --hyperlink',
    'tail -f a',
  ],
  ...[
    'rg --no-ignore-files a',
    'rg -uu a',
    'rg -z a',
    'fd -x a',
    'find . -delete',
    'sort -o a b',
    'date -s x',
    'hostname x',
    'uniq a b',
  ],
  ...[
    'git push',
    'git branch x',
    'git branch -D x',
    'git tag v1',
    'git stash',
    'git checkout a',
    'git config a b',
    'git fetch',
  ],
  ...[
    'npm install',
    'npm run deploy',
    'npm run build:publish',
    'npm test --prefix x',
    'npm publish',
    'npx tsc',
    'yarn add x',
  ],
  ...[
    'go run x',
    'go build -o x',
    'go test -exec x',
    'cargo run',
    'cargo install x',
    'make deploy',
    'make A=b test',
    'make -f x test',
  ],
  ...[
    'prettier .',
    'prettier --write .',
    'eslint --fix .',
    'black .',
    'python x.py',
    'python -m http.server',
    'node x.js',
  ],
  ...['x/gradlew test', 'mvn deploy', 'docker build .', 'command rm', 'ls-la', 'toString x', 'constructor'],
])('%s belongs to no class', (line) => expect(classifyPart(part(line))).toBeUndefined())

test('a command that cannot be read belongs to no class', () => {
  expect(classifyPart(part('ls', { opaque: 'x' }))).toBeUndefined()
  expect(classifyPart(part('ls', { unseen: true }))).toBeUndefined()
  expect(classifyPart(part('ls', { known: 0 }))).toBeUndefined()
  expect(classifyPart({ ...part('ls'), words: [] })).toBeUndefined()
})

test('lists the files that a command of a class uses', () => {
  expect(classifyPart(part('cat', { reads: ['x'] }))?.files).toEqual(['x'])
  expect(classifyPart(part('git show HEAD:.env'))).toMatchObject({ git: true, files: ['HEAD:.env', '.env'] })
  expect(classifyPart(part('tsc -p x --outFile=y'))).toBeUndefined()
  expect(classifyPart(part('vitest --project=/x'))?.files).toEqual(['/x'])
})
