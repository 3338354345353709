// Setup by the user within a session: the key of a model provider, and trust in the workspace.
import { messageOf, UserError } from '../../base/errors.ts'
import { timeLimit } from '../../base/time-limit.ts'
import { providers } from '../../model/providers.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { openWorkspaceTrust } from '../../runtime/workspace/workspace-trust.ts'
import type { CommandRefusal, CommandReply, TrustFileView, TrustView } from '../../session/client.ts'
import { describeSuppliedFiles } from '../../trust/supplied-effects.ts'
import { checkModel, pickCheckedModel } from '../models/model-check.ts'
import { requireKey, requireKeyedProvider, storeProviderKey } from '../models/provider-keys.ts'

/**
 * Maximum milliseconds for a provider to accept the key. Without an answer in this time, the key
 * is not stored.
 */
const maxTryMs = 10_000

const acceptanceOf = (message: string): CommandReply => ({ ok: true, pos: 0, message })

function refusalOf(error: unknown): CommandRefusal {
  const hint = error instanceof UserError && error.hint !== undefined ? { hint: error.hint } : {}
  return { ok: false, code: 'refused', message: messageOf(error), ...hint }
}

/**
 * Stores a key after the provider has accepted it in a request. Otherwise stores nothing and replies with
 * `ok: false`. Never rejects.
 */
export async function saveProviderKey(
  context: WorkspaceContext,
  { provider, key: text }: { provider: string; key: string },
): Promise<CommandReply> {
  try {
    const name = requireKeyedProvider(provider)
    // an invalid key is not sent to any provider
    const key = requireKey(text)
    const variables = providers.find(({ id }) => id === name)?.keys ?? []
    const env = { ...context.env, ...Object.fromEntries(variables.map((one) => [one, key])) }
    const model = await pickCheckedModel({ ...context, env }, name)
    const { failure } = await checkModel(model, timeLimit(maxTryMs))
    if (failure) {
      const message = `the key was tried and is not kept: ${failure.message}`
      return { ok: false, code: 'key_refused', message }
    }
    const { file } = await storeProviderKey(context.env, name, key)
    return acceptanceOf(`the key works and is kept in ${file}`)
  } catch (error) {
    return refusalOf(error)
  }
}

export async function readWorkspaceTrust({ workspace, env }: WorkspaceContext): Promise<TrustView> {
  const { state, files, digest } = openWorkspaceTrust(workspace, env).read()
  return { state, files, digest }
}

/**
 * Returns the effects of those of `files` that the workspace supplies. Other paths are left out
 * and not described.
 */
export async function describeWorkspaceTrust(
  { workspace, env }: WorkspaceContext,
  files: TrustView['files'],
): Promise<TrustFileView[]> {
  const { root, read } = openWorkspaceTrust(workspace, env)
  const brought = new Set(read().files)
  return await describeSuppliedFiles(
    root,
    files.filter((path) => brought.has(path)),
  )
}

/**
 * Trusts the workspace. Returns an error reply if, for example, the files have changed since they were shown.
 */
export async function grantWorkspaceTrust(
  { workspace, env }: WorkspaceContext,
  digest: string | undefined,
): Promise<CommandReply> {
  try {
    await openWorkspaceTrust(workspace, env).grant(digest)
    return acceptanceOf('this workspace is trusted')
  } catch (error) {
    return refusalOf(error)
  }
}
