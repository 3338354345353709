// Remote approval of a session, which sends questions to another device of the user, by
// configuration or flag.

import { homeDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import { type ChannelOrigin, type ChannelServer, createChannelRelay } from '../../relay/channel-relay.ts'
import { createHttpRelay } from '../../relay/http-relay.ts'
import { createProgramRelay } from '../../relay/program-relay.ts'
import { createQuestionRelay, type QuestionRelay, type RelayTransport } from '../../relay/question-relay.ts'
import { readWebhookSecret } from '../../relay/webhook-signature.ts'
import type { RelayMeans } from '../../runtime/features.ts'
import type { RelaySettings } from '../../runtime/relay/relay-settings.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { approvalText } from '../../tui/approval/approval-text.ts'
import { questionsText } from '../../tui/question-lines.ts'

/**
 * Largest and default number of seconds to wait for a remote approval. If an MCP server forwards the
 * questions, the largest number is `maxChannelSeconds`. Later answers are ignored.
 */
const maxSeconds = 600
const maxChannelSeconds = 120
const minSecretBytes = 24

/** Opens the remote approval. Throws UserError for invalid or unusable settings. */
export function openSessionRelay(
  settings: RelaySettings,
  { workspace, env }: Pick<WorkspaceContext, 'workspace' | 'env'>,
  means: RelayMeans,
): QuestionRelay {
  const transport = openTransport(settings, env.HOME || homeDir(), means)
  return createQuestionRelay(transport, { approval: approvalText, questions: questionsText }, { workspace })
}

function openTransport(settings: RelaySettings, home: string, means: RelayMeans): RelayTransport {
  const { command, url, mcp, timeout = maxSeconds } = settings
  const named = [command, url, mcp].filter((one) => one !== undefined)
  if (named.length !== 1)
    throw createRefusal('approvals.relay needs one of command, url and mcp', 'see the manual page approvals')
  const maxMs = Math.min(timeout, mcp === undefined ? maxSeconds : maxChannelSeconds) * 1000
  if (command !== undefined) {
    if (command.length === 0 || command[0] === '')
      throw createRefusal(
        'approvals.relay.command names no program',
        'for example ["ask-my-phone", "--wait"]',
      )
    // the program runs in the home directory, so that a relative name cannot refer to a file of the workspace
    return createProgramRelay(command, { run: means.run, cwd: home, maxMs })
  }
  if (url !== undefined)
    return createHttpRelay({ url: readUrl(url), key: readKey(settings.secret), fetch: means.fetch, maxMs })
  const server = mcp as string
  return createChannelRelay({ server, origin: settings.origin, use: channelUse(server, means), maxMs })
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '')
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url
  throw createRefusal(
    'approvals.relay.url is not an https URL',
    'use https; http is only allowed for this machine',
  )
}

function readKey(secret: string | undefined): Buffer {
  const key = readWebhookSecret(secret ?? '')
  if (key.length >= minSecretBytes) return key
  throw createRefusal(
    `approvals.relay.secret must have at least ${minSecretBytes} bytes`,
    'for example from `openssl rand -base64 32`, written as "{env:NAME}"',
  )
}

/**
 * Returns a function that sends questions through an MCP server, and throws UserError if the user has no
 * server of that name. Servers of the workspace may not be used, because a repository must not approve
 * its own calls.
 */
function channelUse(name: string, { servers }: RelayMeans) {
  const find = once(async () => {
    const member = (await servers())?.members.find(({ server }) => server.name === name)
    if (member?.server.origin === 'user') return member
    throw createRefusal(`you have no MCP server named ${name}`, 'see `anode mcp list`')
  })
  return async <T>(signal: AbortSignal, work: (server: ChannelServer) => Promise<T>): Promise<T> =>
    (await find()).use('ask a user', signal, (client) =>
      work({
        experimental: client.getServerCapabilities()?.experimental ?? {},
        notify: (method, params) => client.notification({ method, params }),
        listen: (method, heard) => client.setNotificationHandler(method, { params: anyParams }, heard),
      }),
    )
}

/** A schema that accepts every value; the value is validated where it is used. */
const anyParams = {
  '~standard': { version: 1, vendor: 'anode', validate: (value: unknown) => ({ value }) },
} as const

const createRefusal = (message: string, hint: string) => new UserError(message, { hint })

export type { ChannelOrigin }
