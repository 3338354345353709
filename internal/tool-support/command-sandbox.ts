// The sandbox of a command that a model runs: what it may access by default, and what a call
// requests in addition.

import { FailureError } from '../base/errors.ts'
import { readGrantedHost } from '../net/granted-host.ts'
import { closedPaths } from '../policy/closed-paths.ts'
import { resolvePath } from '../policy/paths/path-jail.ts'
import type { Policy } from '../policy/policy.ts'
import type { CommandOutcome, SandboxRequest } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'

/** Access that one call requests from its sandbox. */
export interface SandboxNeeds {
  /** Names of hosts, with a port if it is not 80 or 443. */
  network?: string[] | undefined
  /** Existing files and directories outside the workspace that the command may write. */
  write?: string[] | undefined
}

/**
 * Returns the request for the sandbox `workspace`, or `read` for agents that may only read. Throws
 * FailureError `bad_args` for an invalid host, and for a path that is missing or is the whole disk. Whether
 * the call may have these needs was decided before.
 */
export async function commandSandbox(ctx: Ctx, needs: SandboxNeeds = {}): Promise<SandboxRequest> {
  const { roots, readOnly } = ctx.policy
  const write = (needs.write ?? []).map((path) => {
    const { real, exists } = resolvePath(ctx.cwd, roots, path)
    if (exists && real !== '/') return real
    const why = exists ? 'is the whole disk' : 'does not exist'
    const hint = 'name a file or folder that exists, such as the folder that it is to lie in'
    throw new FailureError({ code: 'bad_args', message: `needs.write: ${path} ${why}`, hint })
  })
  const network = needs.network ?? []
  for (const host of network) readGrantedHost(host)
  const closed = closedPaths(ctx.policy, new Set(ctx.call.approved ? ctx.call.judgedPaths?.values() : []))
  return {
    closed,
    kind: readOnly ? 'read' : 'workspace',
    folders: [roots.workspace, ...roots.added],
    protected: roots.protected,
    network,
    write,
    // A command that is allowed only because of its sandbox sees no secrets and cannot change the history of
    // git. A command that the user, a rule or its class allows sees the paths that the policy has judged.
    revealed: ctx.call.held === false ? [...(ctx.call.judgedPaths?.values() ?? [])] : [],
    history: ctx.call.held === false,
    // The user has read the command with these paths and approved it, so it may write them.
    opened: ctx.call.approved ? [...(ctx.call.judgedPaths?.values() ?? [])] : [],
    records: ctx.call.id !== '',
    // A direct call ends too soon for a search of all commits for secrets, so only calls of agents
    // make the search.
    searchesHistory: ctx.agent?.model !== undefined,
  }
}

/**
 * Returns the request for the sandbox `workspace` with one directory and no network, for a program that a
 * workspace configures. Files that the rules of `policy` forbid to read are hidden.
 */
export const folderSandbox = (folder: string, policy?: Policy): SandboxRequest => ({
  closed: policy && closedPaths(policy),
  kind: 'workspace',
  folders: [folder],
  protected: [],
  network: [],
  write: [],
  revealed: [],
  history: false,
  opened: [],
})

/**
 * Returns lines to show below a command's output: what the sandbox hid or refused, how to request access, and
 * problems of the sandbox, for example that it is missing.
 */
export async function sandboxNotes(
  { sandbox }: CommandOutcome,
  needs: SandboxNeeds = {},
  ctx: Ctx,
): Promise<string[]> {
  if (!sandbox) {
    const notice = (await ctx.can.processes.sandbox?.())?.notice()
    return notice === undefined ? [] : [`note: ${notice}`]
  }
  const lines =
    sandbox.broken === undefined
      ? []
      : [`note: ${sandbox.broken}; look at what it did before you run it again`]
  if (sandbox.hidden) lines.push(`[sandbox: ${listSome(sandbox.hidden)}]`)
  if (sandbox.tracked !== undefined) lines.push(...(await announceTracked(sandbox.tracked, ctx)))
  if (sandbox.refused.length === 0) return lines
  return [...lines, `[sandbox: ${describeRefusals(sandbox.refused, needs)}]`]
}

/**
 * Notices about git's history that the user has seen. Each key is the function that opens the sandboxes
 * of one session.
 */
const announced = new WeakMap<object, Set<string>>()

/**
 * Informs the user once per session about `text`, a line about files with secret names in git's history. In
 * a run it becomes a notice, and the result is empty. For a direct call, it is returned as a line to show
 * below the output.
 */
async function announceTracked(text: string, { can, log, agent: { model } = {} }: Ctx): Promise<string[]> {
  const announcedTexts = (can.processes.sandbox && announced.get(can.processes.sandbox)) ?? new Set()
  if (announcedTexts.has(text)) return []
  if (can.processes.sandbox) announced.set(can.processes.sandbox, announcedTexts.add(text))
  if (model === undefined) return [`[sandbox: ${text}]`]
  await log.append({ type: 'model.notice', payload: { code: 'sandbox', text } })
  return []
}

const anyHost = 'any host'

/**
 * Describes refused accesses. For each kind with a refused access, names the needs that a further call should
 * have, including those of this call of the same kind.
 */
function describeRefusals(refused: readonly string[], needs: SandboxNeeds): string {
  const entries = refused.map(readRefusal)
  const namesOf = (kind: 'network' | 'write') =>
    entries.flatMap((entry) => (entry.kind === kind ? [entry.name] : []))
  const asks: string[] = []
  const parts: string[] = []
  const add = (kind: 'network' | 'write', words: string, canAsk: (name: string) => boolean, some: string) => {
    const names = namesOf(kind)
    if (names.length === 0) return
    parts.push(`${words} ${names.join(', ')}`)
    const listed = names.filter(canAsk)
    const all = new Set([...(needs[kind] ?? []), ...(listed.length > 0 ? listed : [some])])
    asks.push(`"${kind}": ${JSON.stringify([...all])}`)
  }
  // Only names of hosts can be needs, because an IP address cannot be granted.
  add('network', 'no network access to', (name) => /^[^:]*[a-z]/i.test(name) && name !== anyHost, 'HOST')
  add('write', 'no write access to', () => true, 'PATH')
  parts.push(...entries.flatMap((entry) => (entry.kind === 'other' ? [entry.name] : [])))
  if (asks.length > 0) parts.push(`to request it, call again with needs {${asks.join(', ')}}`)
  return parts.join('; ')
}

function readRefusal(text: string): { kind: 'network' | 'write' | 'other'; name: string } {
  const host = /^network: (\S+?):? not granted$/.exec(text)?.[1]
  if (host !== undefined) return { kind: 'network', name: host }
  if (text === 'network: no host is granted') return { kind: 'network', name: anyHost }
  const path = /^EROFS (.+)$/.exec(text)?.[1]
  return path === undefined ? { kind: 'other', name: text } : { kind: 'write', name: path }
}

/** Largest number of entries in the note about what the sandbox hid; further ones are only counted. */
const maxNamed = 8

const listSome = (all: readonly string[]) =>
  [...all.slice(0, maxNamed), ...(all.length > maxNamed ? [`${all.length - maxNamed} more`] : [])].join('; ')
