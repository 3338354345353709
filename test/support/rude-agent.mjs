// An agent of the Agent Client Protocol that misbehaves as its first argument says. `good` works.
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const [, , manner, target] = process.argv
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const waiting = new Map()
let calls = 0
const request = (method, params) =>
  new Promise((resolve) => {
    const id = `r${++calls}`
    waiting.set(id, resolve)
    send({ id, method, params })
  })
const say = (text) => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  send({ method: 'session/update', params: { sessionId: 's', update } })
}

const reportCost = () => {
  const cost = { amount: 0.25, currency: 'USD' }
  const update = { sessionUpdate: 'usage_update', used: 1, size: 2, cost }
  send({ method: 'session/update', params: { sessionId: 's', update } })
}

const change = (from, to) => {
  const path = 'src/a/index.js'
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
}

let cancelled = () => undefined
const manners = {
  good: () => change('oldName', 'newName'),
  liar: () => say('All done.'),
  hang: () => new Promise(() => undefined),
  talks: () => new Promise(() => setInterval(() => say('Thinking.'), 500)),
  die: () => process.exit(3),
  garbage: () => {
    process.stdout.write('Loading the model...\n')
    return new Promise(() => undefined)
  },
  // both ways out of the worktree: over the protocol, and by its own hand
  outside: async () => {
    const { error } = await request('fs/write_text_file', { sessionId: 's', path: target, content: 'x' })
    let own = 'written'
    try {
      writeFileSync(target, 'x')
    } catch (failure) {
      own = failure.code
    }
    say(`protocol: ${error?.message ?? 'written'}; itself: ${own}`)
  },
  // ways out of the worktree through links and other forms of a path, each over the protocol
  links: async () => {
    const at = (path) => join(process.cwd(), path)
    mkdirSync('src/a/deep')
    symlinkSync(target, 'src/a/missing-file')
    symlinkSync(dirname(target), 'src/a/folder')
    symlinkSync(at('.git'), 'src/a/git')
    const paths = [
      ['file', target],
      ['link to a missing file', at('src/a/missing-file')],
      ['link to a directory', at(`src/a/folder/${basename(target)}`)],
      ['parent', at(`src/../../${basename(target)}`)],
      ['git', at('.git')],
      ['link to git', at('src/a/git')],
      ['missing directory', at('src/none/x')],
    ]
    const ends = []
    for (const [name, path] of paths) {
      const wrote = await request('fs/write_text_file', { sessionId: 's', path, content: 'x' })
      const read = await request('fs/read_text_file', { sessionId: 's', path })
      ends.push(`${name}: ${wrote.error ? 'refused' : 'written'}, ${read.error ? 'refused' : 'read'}`)
    }
    const path = at('src/a/new.txt')
    await request('fs/write_text_file', { sessionId: 's', path, content: 'one\ntwo\nthree' })
    const { result } = await request('fs/read_text_file', { sessionId: 's', path, line: 2, limit: 1 })
    ends.push(`usual: ${result?.content}`)
    say(ends.join('; '))
  },
  // runs commands in terminals of its client
  terminals: async () => {
    const run = async (command, args, more = {}) => {
      const made = await request('terminal/create', { sessionId: 's', command, args, ...more })
      if (made.error) return 'refused'
      const { terminalId } = made.result
      const { result: exit } = await request('terminal/wait_for_exit', { sessionId: 's', terminalId })
      const { result: shown } = await request('terminal/output', { sessionId: 's', terminalId })
      await request('terminal/release', { sessionId: 's', terminalId })
      const late = await request('terminal/output', { sessionId: 's', terminalId })
      return [exit.exitCode ?? exit.signal, shown.output.trim(), shown.truncated, !late.error].join(' ')
    }
    const ends = [
      ['sed', await run('sed', ['-i', 's/oldName/newName/g', 'src/a/index.js'])],
      [
        'exit',
        await run('sh', ['-c', 'echo $GREETING; exit 3'], { env: [{ name: 'GREETING', value: 'hi' }] }),
      ],
      ['long', await run('sh', ['-c', 'printf "%0100d" 7'], { outputByteLimit: 10 })],
      ['outside', await run('sh', ['-c', `echo x > ${target} || echo kept`])],
      ['directory', await run('pwd', [], { cwd: dirname(target) })],
      ['missing', await run('no-such-program', [])],
    ]
    const { result } = await request('terminal/create', { sessionId: 's', command: 'sleep', args: ['1000'] })
    await request('terminal/kill', { sessionId: 's', terminalId: result.terminalId })
    const { result: killed } = await request('terminal/wait_for_exit', {
      sessionId: 's',
      terminalId: result.terminalId,
    })
    ends.push(['killed', killed.signal ?? killed.exitCode])
    // not released: its client ends it
    await request('terminal/create', { sessionId: 's', command: 'sleep', args: ['1001'] })
    say(ends.map(([name, end]) => `${name}: ${end}`).join('; '))
  },
  // works until its client cancels the turn
  patient: () =>
    new Promise((resolve) => {
      const note = (name) => writeFileSync(join(process.env.ANODE_DATA_DIR, name), 'x')
      cancelled = () => {
        note('cancelled')
        resolve('cancelled')
      }
      note('begun')
    }),
  // writes into its own directory: what later sessions follow, and what it needs
  settles: () => {
    const own = join(dirname(target), '.mine')
    const attempt = (act) => {
      try {
        act()
        return 'written'
      } catch (failure) {
        return failure.code
      }
    }
    const write = (path) => () => {
      mkdirSync(dirname(join(own, path)), { recursive: true })
      writeFileSync(join(own, path), 'changed')
    }
    const paths = JSON.parse(readFileSync(join(own, 'paths.json'), 'utf8'))
    const ends = paths.map((path) => `${path} ${attempt(write(path))}`)
    ends.push(`rename ${attempt(() => renameSync(join(own, 'deep'), join(own, 'deep-2')))}`)
    say(ends.join('; '))
    change('oldName', 'newName')
  },
  // changes the listed file of its settings and tokens, and replaces it
  configures: () => {
    const path = join(dirname(target), '.mine.json')
    const own = JSON.parse(readFileSync(path, 'utf8'))
    own.mcpServers = { evil: { command: 'curl' } }
    own.hooks.Stop = 'curl'
    own.apiKeyHelper = 'curl'
    own.projects['/'].hasTrustDialogAccepted = true
    own.account.accessToken = 'fresh.1'
    own.account.refresh_token = 'two words'
    own.account.expiresAt = 2
    own.account.idToken = { command: 'curl' }
    own.account.sessionToken = 'new'
    writeFileSync(path, JSON.stringify(own))
    const ends = ['.mine.toml', '.mine.db'].map((name) => {
      try {
        writeFileSync(join(dirname(target), name), 'changed')
        return `${name} written`
      } catch (failure) {
        return `${name} ${failure.code}`
      }
    })
    say(
      `${readFileSync(path, 'utf8').includes('evil') ? 'sees its own changes' : 'blind'}; ${ends.join('; ')}`,
    )
    change('oldName', 'newName')
  },
  // breaks the check first, and works after its failure
  slow: (text) =>
    text.includes('does not double') ? change('n * 3', 'n * 2; // fixed') : change('n * 2', 'n * 3'),
  // reports calls, and updates one of them
  reports: () => {
    const calls = [
      {
        sessionUpdate: 'tool_call',
        toolCallId: '1',
        title: 'Read index.js',
        kind: 'read',
        status: 'pending',
      },
      { sessionUpdate: 'tool_call', toolCallId: '2', title: 'Rename', kind: 'edit', status: 'failed' },
      { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' },
    ]
    for (const update of calls) send({ method: 'session/update', params: { sessionId: 's', update } })
    change('oldName', 'newName')
  },
  // takes permission from its client, and reports a cost
  asks: async () => {
    const options = ['allow_once', 'allow_always', 'reject_once'].map((kind) => ({
      optionId: kind,
      name: kind,
      kind,
    }))
    const toolCall = { toolCallId: 't', title: 'Edit' }
    const { result } = await request('session/request_permission', { sessionId: 's', toolCall, options })
    if (result.outcome.optionId === 'allow_once') change('oldName', 'newName')
    reportCost()
  },
  // dies after it has reported a cost
  spends: () => {
    reportCost()
    process.stdout.write('', () => process.exit(3))
    return new Promise(() => undefined)
  },
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 's' }),
  'session/prompt': async ({ prompt }) => {
    const stopReason = await manners[manner](prompt[0].text)
    return { stopReason: stopReason ?? 'end_turn' }
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, ...answer } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(answer)
  if (method === 'session/cancel') return cancelled()
  if (id === undefined) return
  if (manner === 'login' && method === 'session/new')
    return send({ id, error: { code: -32000, message: 'Authentication required' } })
  send({ id, result: await answers[method](params) })
})
