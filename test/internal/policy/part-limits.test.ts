// Limits of allow rules: they cover no protected, sensitive or secret path among the words of a command.
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide } from '../../../internal/policy/decide.ts'
import type { Mode } from '../../../internal/policy/level.ts'
import type { Policy } from '../../../internal/policy/policy.ts'
import { coveredLines, placeRows, plantPlaces, quote, readersOf, writers } from './places.ts'
import { allow, bash, file, folder, judge, policyOf, remove, rootsOf } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder()
  plantPlaces(ws)
})
afterAll(() => remove(ws))

const action = async (line: string, more: Partial<Policy>) => {
  const decision = await judge(bash(line), policyOf(ws, more))
  return { action: decision.action, code: decision.code, text: JSON.stringify([line, decision.reasons]) }
}

/** Returns the decision in each mode on the same facts. */
async function modes(line: string, more: Partial<Policy>) {
  const policy = policyOf(ws, more)
  const facts = await resolveFacts(bash(line), policy, ws)
  return (['ask', 'edits', 'auto', 'unrestricted'] as Mode[]).map((mode) => {
    const decision = decide(facts, { ...policy, mode })
    return {
      action: decision.action,
      code: decision.code,
      text: JSON.stringify([line, mode, decision.reasons]),
    }
  })
}

describe('tools and commands treat paths alike', () => {
  for (const { path, write, read } of placeRows) {
    test(JSON.stringify(path), async () => {
      const open = policyOf(ws, { mode: 'unrestricted' })
      const created = await judge(file('create_file', 'confirm_write', path), open)
      expect(created.action, 'create_file').toBe(write)
      expect((await judge(file('read', 'auto_read', path), open)).action, 'read').toBe(read)
      for (const [program, line] of writers) {
        for (const found of await modes(line(path), { rules: [allow(program)] })) {
          if (write === 'ask' || coveredLines.test(line(path))) expect(found.action, found.text).toBe(write)
          if (write === 'ask') expect(found.code, found.text).toMatch(/^(?:protected|sensitive)_path$/)
        }
      }
      // an invisible character needs approval in every command
      const seen = /^[ -~]*$/.test(path)
      for (const [program, line] of seen ? readersOf : []) {
        for (const found of await modes(line(path), { trusted: true, rules: [allow(program)] }))
          expect(found.action, found.text).toBe(read)
      }
      const written = await action(`ls > ${quote(path)}`, { mode: 'unrestricted' })
      expect(written.action, written.text).toBe(write)
    })
  }

  test('only a rule with the exact path allows a secret without approval', async () => {
    const spelled = { tool: 'bash', action: 'allow', path: '.env' } as const
    const rules = [allow('cat'), allow('cp')]
    expect((await action('cat .env', { rules: [...rules, spelled] })).action).toBe('allow')
    expect((await action('cat .env', { rules: [...rules, { ...spelled, path: '.e*' }] })).action).toBe('ask')
    expect((await action('cat .env.local', { rules: [...rules, spelled] })).action).toBe('ask')
    expect((await action('cat .env', { rules: [allow('=cat .env')] })).action).toBe('ask')
    const hook = { ...spelled, path: '.git/hooks/x' }
    expect((await action('cp a.txt .git/hooks/x', { rules: [...rules, hook] })).action).toBe('ask')
    const tool = await judge(
      file('edit_file', 'confirm_write', '.git/hooks/x'),
      policyOf(ws, { rules: [hook] }),
    )
    expect(tool.action).toBe('ask')
  })

  test('checks paths outside of the workspace by their names', async () => {
    const rules = [allow('cp'), allow('cat')]
    const outside = ['~/.bashrc', '~/.ssh/id_rsa', '/proc/self/environ', '/proc/1/environ', '/x/.git/hooks/y']
    for (const path of outside) {
      for (const mode of ['ask', 'unrestricted'] as const) {
        expect((await action(`cp ${path} a.txt`, { mode, rules })).action, path).toBe('ask')
      }
    }
    for (const path of ['/proc/self/environ', '/proc/self/task/1/environ', '~/.netrc'])
      expect((await action(`cat ${path}`, { rules })).action, path).toBe('ask')
  })

  test('a rule for a program does not cover paths outside', async () => {
    const rules = [allow('cp'), allow('ln'), allow('touch'), allow('curl'), allow('cat'), allow('/usr/bin/x')]
    const outside = [
      'cp /etc/hosts a.txt',
      'ln /etc/hosts x',
      'touch ../new',
      'touch -r/etc/hosts a.txt',
      'cat /etc/hosts',
    ]
    for (const line of [...outside, 'cp /proc/self/cwd/a.txt b', 'cat /dev/fd/3', 'cp a.txt /proc/1/cwd/x']) {
      expect((await action(line, { rules })).action, line).toBe('ask')
      expect((await action(line, { rules: [...rules, allow(`=${line}`)] })).action, line).toBe('allow')
    }
    for (const line of [
      'curl http://localhost:8080/x',
      'curl -H a:/x/y u',
      'cp a.txt b >/dev/null',
      '/usr/bin/x a.txt',
    ])
      expect((await action(line, { rules })).action, line).toBe('allow')
    expect((await action('cp /etc/hosts a.txt', { mode: 'unrestricted' })).action).toBe('allow')
  })
})

describe('names that the shell expands', () => {
  const rules = ['cp', 'rm', 'mv', 'cat', 'tee', 'chmod', 'ls', 'cd', 'pushd', 'git rm', 'shopt'].map(allow)
  test.each([
    'cp a.txt .g*/hooks/x',
    'cp a.txt .gi?/HEAD',
    'cp a.txt [.]git/HEAD',
    'cp a.txt .[g]it/hooks/x',
    'cat .e*',
    'cat .[e]nv',
    'cp .e?v open/x',
    'cp .* open',
    'mv .git* open',
    'rm -rf .*',
    'rm -rf ./.g*',
    'cp to-h*/x a.txt',
    'cp a.txt to-h*/x',
    'cd .git && cp ../a.txt hooks/x',
    'cd .git/hooks && tee x',
    'cd .git && cp ../a.txt .',
    'cd src && cp a.ts ../.git/hooks/x',
    'pushd .git; tee hooks/x',
    'cp a.txt src/../.git/HEAD',
    'cp a.txt ./././.git/HEAD',
    'cp a.txt $X',
    'cp a.txt {.git/x,b}',
    'cp a.txt $(echo .git/x)',
    'cat < .env',
    'cp a.txt ".g"it/HEAD',
    String.raw`cp a.txt .g\it/HEAD`,
    "cp a.txt $'.\\x67it/HEAD'",
    `cp ${Array.from({ length: 5_100 }, (_, i) => i.toString(36)).join(' ')} .git/HEAD`,
    `cp a.txt ${'./'.repeat(700)}.git/HEAD`,
    `cp -${'a'.repeat(900)}.git/HEAD x`,
  ])('%j', async (line) => {
    const found = await action(line, { rules })
    expect(found.action, found.text).toBe('ask')
  })
  test.each([
    'cp a.txt b*',
    'rm -rf src/*',
    'rm *.txt',
    'cat src/*.ts',
    'cp a.txt src/b.ts',
    'chmod +x src/a.ts',
  ])('%j expands to no such path', async (line) =>
    expect((await action(line, { rules })).action).toBe('allow'),
  )
})

describe('directories that contain such a path', () => {
  const movers = ['rm -rf', 'mv', 'cp -r', 'chmod -R 777', 'rsync -a', 'git mv', 'git rm -r']
  const programs = movers.map((words) => allow(words.split(' -')[0] as string))
  test.each(movers)('%s', async (words) => {
    for (const mode of ['ask', 'auto', 'unrestricted'] as const) {
      for (const dir of ['.', './', '..', '/', 'tree', 'tre*']) {
        const found = await action(`${words} ${dir} open/y`, { mode, rules: programs })
        expect(found.action, found.text).toBe('ask')
      }
      expect((await action(`${words} open src/y`, { mode, rules: programs })).action).toBe('allow')
    }
    const deep = await action(`${words} tree/deep open/y`, { rules: programs })
    expect(deep.action, 'a key further down').toBe('ask')
    expect((await action(`${words} tree/deep open/y`, { mode: 'unrestricted' })).action).toBe('allow')
  })

  test('unknown programs: only a rule for the command allows it without approval', async () => {
    const rules = [allow('formatter')]
    expect((await action('formatter src', { rules })).action).toBe('allow')
    expect((await action('formatter .', { rules })).action).toBe('ask')
    expect((await action('formatter .', { rules: [allow('=formatter .')] })).action).toBe('allow')
    expect((await action('formatter .', { mode: 'unrestricted' })).action).toBe('allow')
    const offered = await judge(bash('formatter .'), policyOf(ws))
    expect(offered.always?.[0]?.rule).toMatchObject({ command: '=formatter .' })
    expect((await judge(bash('rm -rf .'), policyOf(ws))).always).toBeUndefined()
  })

  test('judges a link in a directory by its target, and asks for a directory that is too large to check', async () => {
    mkdirSync(join(ws, 'linked'))
    symlinkSync('../.git/hooks', join(ws, 'linked/x'))
    expect((await action('cp -rL linked open/z', { rules: programs })).action).toBe('ask')
    mkdirSync(join(ws, 'large'))
    // hard links are created much faster than files
    writeFileSync(join(ws, 'large', 'f'), '')
    for (let i = 0; i < 10_500; i++) linkSync(join(ws, 'large', 'f'), join(ws, 'large', `f${i}`))
    expect((await action('cp -r large open/z', { rules: programs })).action).toBe('ask')
    expect((await action('cp -r large open/z', { mode: 'unrestricted' })).action).toBe('allow')
  })
})

describe('searches in whole directories', () => {
  test.each([
    'rg x',
    'rg x .',
    'rg x tree',
    'rg x tree/deep',
    "rg '' -g '.e*'",
    'rg --hidden x src',
    'grep -rn x tree',
    'grep -R x .',
    'grep --recursive x tree',
    'diff -r tree src',
    'diff -N . src',
  ])('%j', async (line) => {
    const rules = ['rg', 'grep', 'diff'].map(allow)
    const below = !/ src$/.test(line) || /tree|\. /.test(line)
    // without hidden files a separate rule may allow a search
    const ruled = /^rg x/.test(line) ? [] : [{ rules }]
    for (const policy of [...ruled, { mode: 'auto', trusted: true } as const]) {
      const found = await action(line, policy)
      if (below) expect(found.action, found.text).toBe('ask')
    }
  })
  test('read if the directory contains none of these paths', async () => {
    const rules = ['rg', 'grep', 'diff'].map(allow)
    for (const line of ['rg x src', 'grep -rn x src', 'diff src open'])
      expect((await action(line, { rules })).action, line).toBe('allow')
    expect((await action('rg x src', { mode: 'auto' })).action).toBe('allow')
    expect((await action('rg x tree', { mode: 'unrestricted' })).action).toBe('allow')
  })
})

describe('protected directories', () => {
  const sandboxed = (more: Partial<Policy> = {}) =>
    ({ mode: 'unrestricted', ...more, roots: rootsOf(ws, { protected: [join(ws, 'keep')] }) }) as const
  test.each([
    'rm -rf k*',
    'rm -rf "$PWD/keep"',
    'd=keep; rm -rf $d',
    'tee k?ep/f',
    'find . -name f -delete',
    'sed -i s/a/b/ k*/f',
    'ls -d k* | xargs rm -rf',
    'cp -tkeep a.txt',
    'cp -rtkeep a.txt',
    'tar -Ckeep -xf a.tar',
    'curl -okeep/f http://localhost',
    'curl -sokeep/f http://localhost',
    'git clean -fdx',
    'git checkout .',
    'git reset --hard',
    'git stash -u',
    'python x.py',
    'python3 -c "x"',
    'node x.js',
    'sh x.sh',
    'make deploy',
    'patch -p1 < x.diff',
    'unzip a.zip',
    'tar xf a.tar',
    'cd keep && rm f',
    'cd keep; rm *',
    'cd keep/deep && rm -rf ../f',
    'cd $X && rm f',
    'rm -rf to-keep/f',
    'rm -rf .',
    'rm -rf ..',
    'rm -rf /',
    'rm -rf KEEP/../keep',
    'mv src keep/src',
    'mv keep src/keep',
    'dd of=keep/f',
    'rm -rf [k]eep',
    'rm -rf {keep,x}',
    'rm -rf $(echo keep)',
    'eval "rm -rf k"eep',
    'truncate -s0 ke""ep/f',
    'env rm -rf keep',
    'bash -c "rm -rf keep"',
    'timeout 5 rm -rf keep',
    'rm -rf --one-file-system keep',
    'npm test keep',
    'unknown-program --out=keep/f',
    'unknown-program keep:x',
    'echo x > keep/f',
    'echo x > $X',
    'rm -rf *',
    "rm 'a.txt' *p",
    'ls | while read f; do rm "$f"; done',
    'ln -s keep x',
  ])('%j', async (line) => {
    const found = await action(line, sandboxed())
    expect(['ask', 'deny'], found.text).toContain(found.action)
    expect(found.code).toBe('protected_path')
    const allowed = await action(line, sandboxed({ rules: [allow('*'), { tool: 'bash', action: 'allow' }] }))
    expect(['ask', 'deny'], allowed.text).toContain(allowed.action)
  })
  test.each([
    'rm -rf src/y',
    'cat keep/f',
    'ls k*',
    'cat $X',
    'grep -rn x keep',
    'cp keep/f src/f2'.replace('keep/f', 'a.txt'),
    'npm test',
    'git status',
    'git add src && git commit -m x',
    'timeout 60 npm test',
    'mkdir -p out/x',
    'rm src/*.js',
    'echo $HOME',
  ])('%j needs no approval', async (line) => {
    const found = await action(line, sandboxed())
    expect(found.action, found.text).toBe('allow')
  })
})
