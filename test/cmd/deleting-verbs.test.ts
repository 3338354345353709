// Every command that deletes or undoes: what it asks, where it needs `--yes`, and what it prints as JSON.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { authFile } from '../../internal/mcp/auth/oauth-store.ts'
import { keyOf } from '../../internal/mcp/config/server-config.ts'
import { openWorkspaceTrust } from '../../internal/runtime/workspace/workspace-trust.ts'
import { openStore } from '../../internal/store/sqlite.ts'
import { type World, world } from '../support/anode.ts'
import { wordsOf } from '../support/command-lines.ts'
import { everyVerb } from '../support/commands.ts'
import { typed } from '../support/typed.ts'

interface DeletingVerb {
  /** Creates the object, and returns the arguments that delete it. */
  make(w: World): Promise<readonly string[]>
  exists(w: World): Promise<boolean>
  /** What `--json` says when the thing is gone. */
  printed: object
  /** Default: it does not ask. */
  asks?: 'always' | 'terminal'
}

const deleted = (kind: string, id: unknown = expect.any(String)) => ({ deleted: [{ kind, id }] })

async function succeed(w: World, words: readonly string[], input?: string): Promise<string> {
  const { code, out, err } = await w.anode(words, input === undefined ? {} : { input })
  expect(code, err).toBe(0)
  return out
}

const lists = (words: readonly string[], name: string) => async (w: World) =>
  (await succeed(w, words)).includes(name)

async function execute(w: World, ...replies: readonly object[]): Promise<void> {
  writeFileSync(join(w.dir, '../replies.jsonl'), replies.map((one) => `${JSON.stringify(one)}\n`).join(''))
  await succeed(w, ['execute', '--approval', 'edits', '--model', 'script:../replies.jsonl', 'Do it'])
}

const firstThread = async (w: World): Promise<string | undefined> =>
  JSON.parse(await succeed(w, ['threads', 'list', '--json']))[0]?.id

const envOf = (w: World) => ({ HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data })
const openTrust = (w: World) => openWorkspaceTrust(w.dir, envOf(w))

const loginOf = (w: World) => authFile(w.data, keyOf({ name: 'web', origin: 'user' }, realpathSync(w.dir)))

const table: Readonly<Record<string, DeletingVerb>> = {
  'threads delete': {
    async make(w) {
      await execute(w, { text: 'done' })
      return ['threads', 'delete', (await firstThread(w)) as string]
    },
    exists: async (w) => (await firstThread(w)) !== undefined,
    printed: deleted('thread'),
    asks: 'always',
  },
  undo: {
    async make(w) {
      w.put('a.txt', 'before\n')
      const args = { path: 'a.txt', content: 'after\n', overwrite: true }
      await execute(w, { calls: [{ name: 'create_file', args }] }, { text: 'done' })
      return ['undo', 'last', '--to', '0']
    },
    exists: async (w) => readFileSync(join(w.dir, 'a.txt'), 'utf8') === 'after\n',
    printed: { done: true, files: [expect.objectContaining({ path: 'a.txt' })], left: [] },
    asks: 'terminal',
  },
  'runs drop': {
    async make(w) {
      const git = (...words: string[]) => execFileSync('git', words, { cwd: w.dir, stdio: 'ignore' })
      if (!existsSync(join(w.dir, '.git'))) {
        git('init', '-q')
        git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first')
      }
      writeFileSync(join(w.dir, '../replies.jsonl'), `${JSON.stringify({ text: 'done' })}\n`)
      const model = ['--model', `script:${join(w.dir, '../replies.jsonl')}`]
      const { thread } = JSON.parse(
        await succeed(w, ['runs', 'start', '--worktree', '--json', 'Do it', ...model]),
      )
      const state = async () => JSON.parse(await succeed(w, ['runs', 'list', '--json']))[0]?.state
      await expect.poll(state, { timeout: 30_000 }).toBe('ended')
      return ['runs', 'drop', thread]
    },
    exists: async (w) =>
      execFileSync('git', ['worktree', 'list'], { cwd: w.dir, encoding: 'utf8' }).trim().includes('\n'),
    printed: deleted('worktree'),
    asks: 'terminal',
  },
  'config unset': {
    async make(w) {
      await succeed(w, ['config', 'set', 'model', 'lab/deleted-one'])
      return ['config', 'unset', 'model']
    },
    exists: lists(['config', 'list'], 'lab/deleted-one'),
    printed: deleted('setting', 'model'),
  },
  'cron remove': {
    async make(w) {
      await succeed(w, ['cron', 'add', '@daily', '--execute', 'Look', '--name', 'night'])
      return ['cron', 'remove', 'night']
    },
    exists: lists(['cron', 'list'], 'night'),
    printed: deleted('job'),
  },
  'mcp remove': {
    async make(w) {
      await succeed(w, ['mcp', 'add', 'memory', '--', 'sh'])
      return ['mcp', 'remove', 'memory']
    },
    exists: lists(['mcp', 'list'], 'memory'),
    printed: deleted('server', 'memory'),
  },
  'mcp logout': {
    async make(w) {
      w.put(
        '../.config/anode/mcp.json',
        JSON.stringify({ mcpServers: { web: { url: 'http://127.0.0.1:9' } } }),
      )
      await loginOf(w).change({ wanted: 'all' })
      return ['mcp', 'logout', 'web']
    },
    exists: async (w) => loginOf(w).read().wanted === 'all',
    printed: deleted('login', 'web'),
  },
  logout: {
    async make(w) {
      await succeed(w, ['login', 'openai', '--stdin'], 'sk-key-12345678')
      return ['logout', 'openai']
    },
    exists: async (w) => readFileSync(join(w.dir, '../.config/anode/keys.json'), 'utf8').includes('sk-key'),
    printed: deleted('key', 'openai'),
  },
  'permissions forget': {
    async make(w) {
      const store = await openStore(w.data)
      store.answers.add(realpathSync(w.dir), { tool: 'bash', action: 'allow', command: 'git log' })
      const id = store.answers.list(realpathSync(w.dir)).at(-1)?.id
      await store.close()
      return ['permissions', 'forget', String(id)]
    },
    exists: lists(['permissions', 'list'], 'git log'),
    printed: deleted('answer'),
  },
  'trust --revoke': {
    async make(w) {
      w.put('.anode/config.json', '{}')
      await openTrust(w).grant(openTrust(w).read().digest)
      return ['trust', '--revoke']
    },
    exists: async (w) => openTrust(w).read().state === 'trusted',
    printed: { state: 'untrusted' },
  },
  'harness delete': {
    async make(w) {
      writeFileSync(join(w.dir, '../replies.jsonl'), `${JSON.stringify({ text: 'done' })}\n`)
      await succeed(w, ['harness', 'record', '--', 'execute', '--model', 'script:../replies.jsonl', 'Do it'])
      const [{ id }] = JSON.parse(await succeed(w, ['harness', 'list', '--json']))
      return ['harness', 'delete', id]
    },
    exists: async (w) => JSON.parse(await succeed(w, ['harness', 'list', '--json'])).length > 0,
    printed: deleted('recording'),
    asks: 'terminal',
  },
}

/** Commands whose summaries have a word of deletion, and why they are not in the table. */
const others: Readonly<Record<string, string>> = {
  'threads archive': 'only hides',
  'build drop': 'needs --force for commits that no other branch has, see build.test.ts',
  'mcp trust': 'another name of trust',
  'research log': 'the measured candidate stays in the ledger',
}

test('every command that deletes is in the table', async () => {
  const words = /\b(?:delete|remove|forget|restore|(?:put|take) .*back|drop|revoke|clear|clean|erase|undo)\b/i
  const found = (await everyVerb()).filter(
    ({ command }) =>
      words.test(command.summary) ||
      Object.values(command.options).some((one) => /^Take .* back$/.test(one.describe)),
  )
  const names = found.map(({ path, command }) =>
    command.name === 'trust' ? 'trust --revoke' : path.join(' '),
  )
  expect(names.filter((name) => !(name in others)).sort()).toEqual(Object.keys(table).sort())
})

test.each(Object.entries(table))('%s', async (_, { make, exists, printed, asks }) => {
  const w = world()
  onTestFinished(() => w.remove())
  let words = await make(w)
  expect(await exists(w)).toBe(true)
  const deletes = async (more: readonly string[]) => {
    const done = await w.anode([...words, ...more, '--json'])
    expect([done.code, await exists(w)], done.err).toEqual([0, false])
    expect(JSON.parse(done.out)).toMatchObject(printed)
    words = await make(w)
    expect(await exists(w)).toBe(true)
  }

  if (asks === 'always') {
    const refused = await w.anode(words)
    expect([refused.code, refused.out, await exists(w)]).toEqual([2, '', true])
    // the command in the error can be copied
    const line = /run: (anode .* --yes)$/m.exec(refused.err)?.[1] ?? ''
    expect(wordsOf(line)).toEqual([...words, '--yes'])
  } else await deletes([])
  await deletes(['--yes'])

  if (asks !== undefined)
    for (const answer of ['no', '']) {
      const kept = await typed(w, words, answer)
      expect([kept.code, await exists(w)], kept.screen).toEqual([4, true])
    }
  const agreed = asks === undefined ? await w.anode(words) : await typed(w, words, 'yes')
  expect([agreed.code, await exists(w)]).toEqual([0, false])
})
