// Starting ripgrep and reading its messages on standard error.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sensitiveGlobs, sensitivePaths } from '../../../../internal/policy/paths/sensitive-names.ts'
import { listFiles } from '../../../../internal/search/file-list.ts'
import { findFiles, findSymbols, findText } from '../../../../internal/search/finder.ts'
import { searchWithGrep } from '../../../../internal/search/grep.ts'
import { rankText } from '../../../../internal/search/relevance.ts'
import {
  guardArgs,
  isGuarded,
  parsePassedOver,
  removeGuarded,
  ripgrepComplaint,
  ripgrepPrograms,
  runRipgrep,
  searchEnd,
} from '../../../../internal/search/ripgrep/ripgrep.ts'
import { searchFailure } from '../../../../internal/search/search-report.ts'
import type { PrefixedTree } from '../../../../internal/search/search-tree.ts'
import { searchText } from '../../../../internal/search/text-search.ts'
import { run } from '../../../support/run.ts'
import { means, plant } from '../../../support/search.ts'

/** Creates a program that behaves like another ripgrep. */
function stand(script: string): string {
  const file = join(plant(), 'rg')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

async function listed(files: string[]) {
  const dir = plant({ a: '' })
  let out = ''
  const ran = await runRipgrep(['--files', './'], dir, means({ programs: files }), (chunk) => {
    out += chunk.toString()
  })
  return { out, ran }
}

test('prefers the installed binary', () => {
  expect(ripgrepPrograms()[0]).toMatch(/@vscode\/ripgrep-.*\/bin\/rg$/)
  expect(ripgrepPrograms().at(-1)).toBe('rg')
})

test.each([
  ['missing', '/nowhere/rg'],
  ['of another machine', stand('exit 126')],
  ['without its libraries', stand('echo "error while loading shared libraries" >&2; exit 127')],
  ['too old', stand('echo "error: unexpected argument \'--x\' found" >&2; exit 2')],
])('skips a program that is %s', async (_, file) => {
  expect((await listed([file])).ran).toBeUndefined()
  const { out, ran } = await listed([file, ...ripgrepPrograms()])
  expect(out).toBe('./a\n')
  expect(ran).toMatchObject({ exit: 0, message: '', unreadable: 0 })
})

test('separates complaints about files from other messages', async () => {
  const file = stand(
    'exec >&2; echo "rg: ./c: Permission denied (os error 13)"; printf "something else"; exit 2',
  )
  expect((await listed([file])).ran).toEqual({
    exit: 2,
    ended: undefined,
    skipped: [],
    unreadable: 1,
    message: 'something else',
  })
})

test('does not start ripgrep without a process runner', async () => {
  expect(await runRipgrep(['--files'], '/', { ...means(), run: undefined }, () => undefined)).toBeUndefined()
})

test.each([
  ['regex parse error:\n    (foo\n    ^\nerror: unclosed group', 'unclosed group'],
  ['rg: regex parse error:\n    (?:x)\nerror: repetition\n\nConsider …', 'repetition'],
  ['rg: compiled regex exceeds size limit of 104857600', 'compiled regex exceeds size limit of 104857600'],
  ['', 'no message'],
])('%j in one line', (message, line) => {
  expect(ripgrepComplaint(message)).toBe(line)
})

// A search whose program died: it never counts as complete, with any engine and any kind of end.

const wanted = {
  patterns: ['needle'],
  regex: false,
  caseSensitive: true,
  word: false,
  max: 50,
  context: 0,
  room: 1 << 20,
}

/** Creates a copy of the real program that ends as `end` says instead of with its exit code. */
function dying(real: string, name: string, end: string): string {
  const dir = plant()
  const file = join(dir, name)
  writeFileSync(file, `#!/bin/sh\n${real} "$@"\n${end}\n`)
  chmodSync(file, 0o755)
  return file
}

function forest(): PrefixedTree {
  const dir = plant({ 'a.ts': 'const needle = 1\n', 'b.ts': 'other\n' })
  return { dir, top: dir, hidden: false, guarded: true, prefix: '' }
}

const deaths = [
  ...['KILL', 'TERM', 'SEGV', 'ABRT', 'HUP', 'INT', 'PIPE', 'XCPU'].map((name) => `kill -s ${name} $$`),
  ...[2, 3, 42, 101, 134, 137, 139, 143, 255].map((code) => `exit ${code}`),
]
const [rg = 'rg'] = ripgrepPrograms()

test.each(deaths)('ripgrep that ends with `%s`', async (end) => {
  const tree = forest()
  const how = means({ programs: [dying(rg, 'rg', end)] })
  expect((await searchText(tree, wanted, how)).ended).toBe('broken')
  expect((await listFiles(tree, how, () => undefined)).ended).toBe('broken')
  const ranked = await rankText(tree, { terms: ['needle'], caseSensitive: true, limit: 5 }, how)
  expect(ranked.found.ended).toBe('broken')
  const search = { tree, query: 'needle', limit: 5, caseSensitive: false, means: how }
  for (const find of [findFiles, findText, findSymbols]) {
    const { ended, results } = await find(search)
    expect([find.name, ended]).toEqual([find.name, 'broken'])
    expect(results.length).toBeLessThanOrEqual(1)
  }
})

test.each(deaths)('grep that ends with `%s`', async (end) => {
  const tree = forest()
  const bin = join(dying('/usr/bin/env -i /bin/grep', 'grep', end), '..')
  const how = means({
    programs: [],
    run: (command) => run({ ...command, file: command.file === 'grep' ? join(bin, 'grep') : command.file }),
  })
  expect((await searchWithGrep(tree, wanted, how)).ended).toBe('broken')
})

test('marks the ranking as incomplete if a second pass dies', async () => {
  const dir = plant()
  const once = join(dir, 'once')
  const file = dying(rg, 'rg', `[ -e '${once}' ] && kill -9 $$; touch '${once}'; exit 0`)
  const ranked = await rankText(
    forest(),
    { terms: ['needle'], caseSensitive: true, limit: 5 },
    means({ programs: [file] }),
  )
  expect(ranked.found.ended).toBe('broken')
})

test('marks the output as incomplete if another process still has it open after the end', async () => {
  const file = dying(rg, 'rg', 'sleep 3 & exit 0')
  const found = await searchText(forest(), wanted, means({ programs: [file] }))
  expect(found.ended).toBe('broken')
})

test('marks the output as complete if the program ended normally', async () => {
  const dir = plant({ 'a.ts': 'needle', 'secret.pem': 'needle', '.env': 'needle' })
  mkdirSync(join(dir, 'empty'))
  for (const guarded of [true, false]) {
    for (const pattern of ['needle', 'nothing has this']) {
      const tree = { dir, top: dir, hidden: false, guarded }
      const want = { ...wanted, patterns: [pattern] }
      expect((await searchText(tree, want, means())).ended).toBeUndefined()
      expect((await searchWithGrep(tree, want, means())).ended).toBeUndefined()
    }
  }
})

test('has a text for every end', () => {
  const whole = { ended: undefined, exit: 0, torn: false } as const
  expect(searchFailure(searchEnd(whole, [0, 1]))).toBeUndefined()
  expect(searchFailure(searchEnd({ ...whole, exit: 1 }, [0, 1]))).toBeUndefined()
  expect(searchFailure(searchEnd({ ...whole, exit: null }, [0, 1]))).toMatchObject({ code: 'command_failed' })
  expect(searchFailure(searchEnd({ ...whole, torn: true }, [0, 1]))).toMatchObject({ code: 'command_failed' })
  expect(searchFailure(searchEnd({ ...whole, ended: 'timeout' }, [0]))).toMatchObject({ code: 'timeout' })
  expect(searchFailure(searchEnd({ ...whole, ended: 'cancelled' }, [0]))).toMatchObject({ code: 'cancelled' })
})

test('repeats a search for symbols whose program dies once', async () => {
  const dir = plant()
  const once = join(dir, 'once')
  const file = dying(rg, 'rg', `[ -e '${once}' ] || { touch '${once}'; kill -9 $$; }; exit 0`)
  const how = means({ programs: [file] })
  const { ended, results } = await findSymbols({
    ...{ tree: forest(), query: 'needle', limit: 5, caseSensitive: false, means: how },
  })
  expect([ended, results.length]).toEqual([undefined, 1])
})

// Sensitive names as options and as a question.

test('detects the name of a secret file, alone and in a list', () => {
  expect(guardArgs()[1]).toContain(',*.pem,')
  for (const name of ['.env', 'a/.ENV.local', '.ssh/known_hosts', 'x/ID_RSA', 'a.pem', 'id_rsa.']) {
    expect(isGuarded(name), name).toBe(true)
    const removed: string[] = []
    expect(removeGuarded(['a.ts', name, 'b/c'], removed), name).toEqual(['a.ts', 'b/c'])
    expect(removed).toEqual([name])
  }
  const open = ['src/environment.ts', 'caf\xc3\xa9', 'x.keys']
  expect(removeGuarded(open, [])).toEqual(open)
})

test.each([
  ['./a/.env: preprocessor command could not start: \'"/dev/null/none" "./a/.env"\': x', 'a/.env'],
  ['rg: ./b.pem: preprocessor command could not start: x', 'b.pem'],
  ['rg: ./c: Permission denied (os error 13)', undefined],
])('reads the file name of the message %s', (line, name) => {
  expect(parsePassedOver(line)).toBe(name)
})

/** A name for each glob of the list. */
const secrets = sensitiveGlobs.map((one) => one.replace('*', one.startsWith('*') ? 'x' : ''))

test('searches files that are only examples of secret files', async () => {
  const shapes = [
    '.env.example',
    'prod.tfvars.sample',
    'service-account.example.json',
    'example.env',
    'id_rsa.pub',
  ]
  const files = [...shapes, 'sub/.env.template', 'sub/credentials.json.dist', 'credentials.example.json']
  const dir = plant({ ...Object.fromEntries(files.map((name) => [name, 'token\n'])), 'x.env': 'token\n' })
  const tree = { dir, top: dir, hidden: true, guarded: true }
  for (const programs of [means().programs, []]) {
    const listed: string[] = []
    await listFiles(tree, means({ programs }), (names) => listed.push(...names))
    expect(listed.sort()).toEqual(files.toSorted())
    const wanted = {
      patterns: ['token'],
      regex: false,
      caseSensitive: true,
      word: false,
      max: 50,
      context: 0,
    }
    const found = await searchText(tree, { ...wanted, room: 1 << 20 }, means({ programs }))
    expect(found.files.map((file) => file.name).sort()).toEqual(files.toSorted())
  }
})

test('skips files that are secret only in certain directories', async () => {
  const dir = plant({
    ...Object.fromEntries(sensitivePaths.map((name) => [`home/${name}`, 'token\n'])),
    'home/config': 'token\n',
    'hosts.yml': 'token\n',
  })
  const tree = { dir, top: dir, hidden: true, guarded: true }
  for (const programs of [means().programs, []]) {
    const wanted = {
      patterns: ['token'],
      regex: false,
      caseSensitive: true,
      word: false,
      max: 50,
      context: 0,
    }
    const found = await searchText(tree, { ...wanted, room: 1 << 20 }, means({ programs }))
    expect(found.files.map((file) => file.name).sort()).toEqual(['home/config', 'hosts.yml'])
  }
})

test('ripgrep does not open secret files in any directory', async () => {
  const files = secrets.flatMap((name) => [name, `sub/${name}`, `folder/${name}/inside`])
  const unique = new Set(files.filter((name) => !files.some((other) => other.startsWith(`${name}/`))))
  const dir = plant({
    ...Object.fromEntries([...unique].map((name) => [name, 'token\n'])),
    'plain.txt': 'token\n',
  })
  const tree = { dir, top: dir, hidden: false, guarded: true }
  const wanted = {
    patterns: ['token'],
    regex: false,
    caseSensitive: true,
    word: false,
    max: 5,
    context: 0,
    room: 1 << 20,
  }
  // folders with odd names are entered, and what is found there is dropped uncounted
  const plain = new Set(sensitiveGlobs.filter((one) => /^\w+$/.test(one)))
  const countedBelow = (name: string) => !name.endsWith('/inside') || plain.has(name.split('/')[1] ?? '')
  const seen = [...unique].filter((name) => !/(?:^|\/)\./.test(name) && countedBelow(name))
  const topHidden = secrets.filter((name) => name.startsWith('.'))
  for (const programs of [means().programs, []]) {
    const found = await searchText(tree, wanted, means({ programs }))
    expect(found.files.map((file) => file.name)).toEqual(['plain.txt'])
    if (programs.length > 0) expect(found.skipped).toBe(seen.length + topHidden.length)
    const listed: string[] = []
    const listing = await listFiles(tree, means({ programs }), (names) => listed.push(...names))
    expect(listed).toEqual(['plain.txt'])
    expect(listing.skipped).toBeGreaterThan(topHidden.length)
  }
})

test('counts as skipped only secret files that the search would otherwise list', async () => {
  const dir = plant({ 'a.pem': '', 'b.ts': '', 'sub/.env': '', 'out/c.pem': '', '.gitignore': 'out' })
  const tree = { dir, top: dir, hidden: false, guarded: true }
  for (const programs of [means().programs, []]) {
    expect((await listFiles(tree, means({ programs }), () => undefined)).skipped).toBe(1)
  }
})
