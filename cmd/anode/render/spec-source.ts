// The input of the command `anode render`: a file, an argument or standard input.
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codeOf, messageOf, UserError } from '../../../internal/base/errors.ts'
import type { SpecIssue } from '../../../internal/render/spec/issues.ts'
import { readBytes } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, stringArg } from '../verb.ts'

const maxSpecBytes = 20 * 1024 * 1024

export type SpecSource = { ok: true; bytes: Uint8Array } | { ok: false; issue: SpecIssue }

/**
 * Returns the bytes of the spec from the selected source, or an issue if they are more than 20 MiB. Default:
 * standard input. Throws UserError for several sources, a missing spec, a file that cannot be read, and a
 * text in `--spec` or `--json` that cannot be a spec.
 */
export async function readSpec(args: CommandArgs, io: CommandIo): Promise<SpecSource> {
  const file = stringArg(args, 'file')
  const spec = stringArg(args, 'spec')
  const json = args.json === '' ? undefined : stringArg(args, 'json')
  if ([file, spec, json].filter((source) => source !== undefined).length > 1) {
    throw new UserError('give one of -f, --spec and --json with a spec', {
      hint: '--output json asks for JSON output',
    })
  }
  if (json !== undefined && !/^\s*[{@]/.test(json)) {
    throw new UserError('--json takes an object or @FILE', { hint: 'use --spec for any other text' })
  }
  const text = spec ?? json
  if (text?.startsWith('@')) return readFrom(text.slice(1), io)
  if (text !== undefined && /^[^\s{"]+\.json$/.test(text))
    throw new UserError(`--spec takes a spec, and ${text} is a file name`, {
      hint: `anode render -f ${text}`,
    })
  if (text !== undefined) return { ok: true, bytes: Buffer.from(text) }
  if (file !== undefined && file !== '-') return readFrom(file, io)
  if (file === undefined && io.stdin.isTTY) {
    throw new UserError('the spec is missing', {
      hint: 'name a file with -f, or pipe a spec into the command',
    })
  }
  const bytes = await readBytes(io, maxSpecBytes)
  return bytes ? { ok: true, bytes } : tooLarge()
}

async function readFrom(name: string, io: CommandIo): Promise<SpecSource> {
  const path = resolve(io.cwd, name)
  try {
    if ((await stat(path)).size > maxSpecBytes) return tooLarge()
    return { ok: true, bytes: await readFile(path) }
  } catch (error) {
    const reasons: Record<string, string> = {
      ENOENT: 'the file does not exist',
      EISDIR: 'it is a folder',
      EACCES: 'it may not be read',
    }
    const why = reasons[codeOf(error) ?? ''] ?? messageOf(error)
    throw new UserError(`cannot read ${name}: ${why}`, { hint: 'name a file that can be read', cause: error })
  }
}

function tooLarge(): SpecSource {
  const message = `more than ${maxSpecBytes} bytes of JSON`
  return { ok: false, issue: { code: 'too_large', path: '', message } }
}
