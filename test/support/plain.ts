// A plain screen on streams, over a session that really runs.
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import { openLocalService } from '../../internal/service/session/local-service.ts'
import { openPlainScreen } from '../../internal/tui/plain/plain-screen.ts'
import type { SessionIo } from '../../internal/tui/screen-options.ts'
import { program } from './anode.ts'
import { sessionWorld } from './session.ts'
import { untilAnswerable } from './waiting.ts'

interface PlainWishes extends Partial<Pick<SessionIo, 'editText' | 'readPicture' | 'writeClipboard'>> {
  term?: string
  files?: Readonly<Record<string, string>>
  mode?: 'ask' | 'edits' | 'unrestricted'
  /** Set for a session that cannot run commands of the program, as one of another process. */
  isRemote?: boolean
}

/** Opens a plain screen on streams. Typing returns a promise of the output since then. */
export async function openPlain(
  replies: readonly object[],
  { term = 'dumb', files = {}, mode = 'unrestricted', isRemote = false, ...outside }: PlainWishes = {},
) {
  const at = await sessionWorld(replies, files)
  const env = { PATH: process.env.PATH, HOME: dirname(at.data), ANODE_DATA_DIR: at.data, TERM: term }
  const common = { cwd: at.cwd, env, addDirs: [], note: () => undefined }
  const runs = isRemote ? {} : { program: [process.execPath, program] }
  const service = await openLocalService({ ...common, ...runs })
  const session = await at.open(undefined, { mode, service })
  const client = service.attach(session.client.thread)
  if (!client) throw new Error('the session is not open')
  const [input, output] = [new PassThrough(), new PassThrough()]
  let text = ''
  output.on('data', (chunk) => {
    text += String(chunk)
  })
  const streams = { input, output: Object.assign(output, { columns: 100 }) } as unknown as SessionIo
  const io: SessionIo = { ...streams, env, signal: new AbortController().signal, cwd: at.cwd, ...outside }
  const screen = openPlainScreen(client, service, io, { form: 'plain', notes: [] })
  const running = screen.run()
  const say = async (line: string, seen: RegExp, timeout = 100_000) => {
    const from = text.length
    input.write(`${line}\n`)
    await expect.poll(() => text.slice(from), { timeout }).toMatch(seen)
  }
  /** The same once what was asked could be read. */
  const answer = async (line: string, seen: RegExp) => {
    await untilAnswerable('line')
    await say(line, seen)
  }
  const close = async () => {
    input.write('/quit\n')
    await running
    await service.close()
  }
  return { ...at, say, answer, session, close, printed: () => text, screen }
}
