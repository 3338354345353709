// Sensitive names as options and as a question.
import { expect, test } from 'vitest'
import { sensitiveGlobs, sensitivePaths } from '../../../../internal/policy/paths/sensitive-names.ts'
import { listFiles } from '../../../../internal/search/file-list.ts'
import {
  guardArgs,
  isGuarded,
  parsePassedOver,
  removeGuarded,
} from '../../../../internal/search/ripgrep/guarded-files.ts'
import { searchText } from '../../../../internal/search/text-search.ts'
import { means, plant } from '../../../support/search.ts'

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
