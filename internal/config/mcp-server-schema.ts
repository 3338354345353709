// Schema of one MCP server, for the configuration and for the files that other programs share.
import * as z from 'zod/mini'
import { levels } from '../policy/level.ts'

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}
const text = (description: string) => z.optional(described(z.string(), description))
const texts = (description: string) => z.optional(described(z.array(z.string()), description))
const seconds = (description: string) => z.optional(described(z.number().check(z.positive()), description))
const level = () =>
  z.enum(levels.filter((one) => one !== 'interactive' && one !== 'delegated') as [string, ...string[]])
const strings = () => z.record(z.string(), z.string())

const oauth = () =>
  z.strictObject({
    clientId: text('Client that is registered already'),
    clientSecret: text('Its secret; name an environment variable rather than writing it here'),
    scope: text('Scopes to ask for, separated by spaces'),
    callbackPort: z.optional(
      described(z.int().check(z.minimum(1), z.maximum(65535)), 'Port of the callback; absent: a free one'),
    ),
    clientMetadataUrl: text('Address of a published client metadata document'),
  })

/** Returns the schema of the permissions in the sandbox of a long-running program. */
export const buildServerPlaces = () =>
  z.strictObject({
    network: texts('Hosts, with a port where it is not 80 or 443'),
    read: texts('Files and directories it can read in addition to the workspace'),
    write: texts('Files and directories it may write'),
  })

const fields = () => ({
  type: z.optional(
    described(
      z.enum(['stdio', 'http', 'streamable-http']),
      'Needed only if neither command nor url decides it',
    ),
  ),
  command: text('Program of a local server; a relative path starts from this file'),
  args: texts('Its arguments'),
  env: z.optional(described(strings(), 'Variables it gets besides the usual ones')),
  cwd: text('Directory it starts in'),
  sandbox: z.optional(described(buildServerPlaces(), 'Runs it in a sandbox, with access to these places')),
  url: text('Address of a server that speaks streamable HTTP'),
  headers: z.optional(described(strings(), 'Headers of every request')),
  oauth: z.optional(oauth()),
  disabled: z.optional(described(z.boolean(), 'true: as if it were not there')),
  includeTools: texts('Only these tools, as the server names them, or globs'),
  excludeTools: texts('Not these'),
  alwaysLoad: z.optional(
    described(
      z.union([z.boolean(), z.array(z.string())]),
      'Tools, or globs, that a model is always told; true: all. Others may have to be searched for',
    ),
  ),
  level: z.optional(described(level(), 'Level of its tools; absent: confirm_execute')),
  levels: z.optional(
    described(z.record(z.string(), level()), 'Level by name or glob of the tool; counts before level'),
  ),
  trustAnnotations: z.optional(
    described(z.boolean(), 'true: a tool that calls itself read-only is external_read'),
  ),
  startTimeout: seconds('Seconds it may take to start; 20'),
  callTimeout: seconds('Seconds without a sign of life that a call may take; 120'),
})

/** Returns the schema for the configuration, where an unknown key is an error. */
export const buildServerFields = () => z.strictObject(fields())

/**
 * Returns the schema for mcp.json and .mcp.json. Other programs read these files too, so unknown
 * keys are ignored.
 */
export const buildSharedServerFields = () => z.object(fields())

export const listServerKeys = (): string[] => Object.keys(fields())
