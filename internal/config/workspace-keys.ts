// Keys that the configuration of a workspace may set: each key of the schema with its class.
import { once } from '../base/once.ts'

/**
 * `user`: only the user's configuration sets the key. `preference`: the workspace sets the key, even over the
 * user's value. `added`: the workspace adds entries under names that the user does not have. `joined`: the
 * workspace appends entries to the user's list. `lower`: the workspace sets a number that is not above the
 * user's, or any number if the user has set none. `false`, `true`: the workspace sets only this value. A list
 * of values: the order from loosest to strictest, with `unset` for no value; the workspace may only set a
 * value that is stricter than `unset` and not looser than the user's.
 */
type KeyClass = 'user' | 'preference' | 'added' | 'joined' | 'lower' | 'false' | 'true' | readonly string[]

/** Classes by dotted key. `*` is any name. A key also covers the keys below it. */
const workspaceKeys: Readonly<Record<string, KeyClass>> = {
  $schema: 'preference',
  model: 'preference',
  profile: 'preference',
  toolset: 'preference',
  providers: 'user',
  'profiles.*.about': 'preference',
  'profiles.*.tools': 'preference',
  'profiles.*.readOnly': 'true',
  'profiles.*.maxTurns': 'preference',
  'profiles.*.effort': 'preference',
  'profiles.*.model': 'preference',
  'profiles.*.toolset': 'preference',
  'profiles.*.until': 'user',
  'profiles.*.prompt': 'preference',
  permissions: 'joined',
  permissionPreset: ['unrestricted', 'yolo', 'unset', 'careful', 'strict'],
  approvals: 'user',
  sandbox: ['off', 'unset', 'auto', 'require'],
  protectedDirs: 'joined',
  'tools.disabled': 'joined',
  'tools.toolboxDirs': 'preference',
  'tools.externalTimeout': 'lower',
  'ui.keys': 'user',
  'ui.notify': 'user',
  'ui.screen': 'preference',
  'ui.theme': 'preference',
  'ui.mouse': 'preference',
  'ui.reflow': 'preference',
  'ui.escapeMs': 'preference',
  'shell.env': 'user',
  'shell.read': 'user',
  'shell.searchLimit': 'user',
  'shell.blocked': 'joined',
  'web.enabled': 'false',
  'web.provider': 'user',
  'web.searxngUrl': 'user',
  'web.exaKey': 'user',
  'web.scholar': 'user',
  'web.openalexKey': 'user',
  'web.serperKey': 'user',
  'lsp.enabled': 'false',
  'otel.content': 'false',
  'lookAt.targets.*': 'added',
  'mcpServers.*': 'added',
  'mcp.enabled': 'false',
  'mcp.startTimeout': 'lower',
  'mcp.callTimeout': 'lower',
  'plugins.paths': 'joined',
  'plugins.sandbox': 'user',
  'plugins.startTimeout': 'lower',
  'plugins.callTimeout': 'lower',
  'skills.allowMCP': 'false',
  'session.maxSessions': 'user',
  workers: 'user',
}

const rows = once(() => Object.entries(workspaceKeys).map(([key, kind]) => ({ parts: key.split('.'), kind })))

/** Returns the class of a key, or undefined if neither the key nor a key above it has a class. */
export function classOf(key: readonly string[]): KeyClass | undefined {
  const isCovered = (parts: readonly string[]) =>
    parts.length <= key.length && parts.every((part, i) => part === '*' || part === key[i])
  return rows().find(({ parts }) => isCovered(parts))?.kind
}

/** Returns whether the key has a class, so that it is decided as a whole and not for each key below it. */
export const isClassified = (key: readonly string[]): boolean => classOf(key) !== undefined

/**
 * Returns why the workspace's value of a key does not count, or undefined if it counts. `before` is
 * the user's value.
 */
export function refuseKey(kind: KeyClass | undefined, value: unknown, before: unknown): string | undefined {
  const userOnly = "only the user's own configuration sets it"
  const stricter = 'a workspace can only make it stricter'
  if (kind === undefined || kind === 'user') return userOnly
  if (kind === 'preference' || kind === 'joined') return undefined
  if (kind === 'added') return before === undefined ? undefined : 'the user has an entry of the same name'
  if (kind === 'false' || kind === 'true') return String(value) === kind ? undefined : stricter
  if (kind === 'lower') return before === undefined || Number(value) <= Number(before) ? undefined : stricter
  const rank = (one: unknown) => kind.indexOf(one === undefined ? 'unset' : String(one))
  return rank(value) >= rank(before) && rank(value) > rank('unset') ? undefined : stricter
}
