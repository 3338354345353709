// Schema of one MCP server, for the configuration and for the files that other programs share.
import * as z from 'zod/mini'
import { levels } from '../policy/level.ts'

/** Notes the description of a key in its schema. */
export const noteKey = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}
const buildText = (description: string) => z.optional(noteKey(z.string(), description))
const buildTexts = (description: string) => z.optional(noteKey(z.array(z.string()), description))
const buildSeconds = (description: string) => z.optional(noteKey(z.number().check(z.positive()), description))
const buildLevel = () =>
  z.enum(levels.filter((one) => one !== 'interactive' && one !== 'delegated') as [string, ...string[]])
const buildTextMap = () => z.record(z.string(), z.string())

const buildOauth = () =>
  z.strictObject({
    clientId: buildText('Client that is registered already'),
    clientSecret: buildText('Its secret; name an environment variable rather than writing it here'),
    scope: buildText('Scopes to ask for, separated by spaces'),
    callbackPort: z.optional(
      noteKey(z.int().check(z.minimum(1), z.maximum(65535)), 'Port of the callback; absent: a free one'),
    ),
    clientMetadataUrl: buildText('Address of a published client metadata document'),
  })

/** Returns the schema of the permissions in the sandbox of a long-running program. */
export const buildServerPlaces = () =>
  z.strictObject({
    network: buildTexts('Hosts, with a port where it is not 80 or 443'),
    read: buildTexts('Files and directories it can read in addition to the workspace'),
    write: buildTexts('Files and directories it may write'),
  })

const buildServerShape = () => ({
  type: z.optional(
    noteKey(
      z.enum(['stdio', 'http', 'streamable-http']),
      'Needed only if neither command nor url decides it',
    ),
  ),
  command: buildText('Program of a local server; a relative path starts from this file'),
  args: buildTexts('Its arguments'),
  env: z.optional(noteKey(buildTextMap(), 'Variables it gets besides the usual ones')),
  cwd: buildText('Directory it starts in'),
  sandbox: z.optional(noteKey(buildServerPlaces(), 'Runs it in a sandbox, with access to these places')),
  url: buildText('Address of a server that speaks streamable HTTP'),
  headers: z.optional(noteKey(buildTextMap(), 'Headers of every request')),
  oauth: z.optional(buildOauth()),
  disabled: z.optional(noteKey(z.boolean(), 'true: as if it were not there')),
  includeTools: buildTexts('Only these tools, as the server names them, or globs'),
  excludeTools: buildTexts('Not these'),
  alwaysLoad: z.optional(
    noteKey(
      z.union([z.boolean(), z.array(z.string())]),
      'Tools, or globs, that a model is always told; true: all. Others may have to be searched for',
    ),
  ),
  level: z.optional(noteKey(buildLevel(), 'Level of its tools; absent: confirm_execute')),
  levels: z.optional(
    noteKey(z.record(z.string(), buildLevel()), 'Level by name or glob of the tool; counts before level'),
  ),
  trustAnnotations: z.optional(
    noteKey(z.boolean(), 'true: a tool that calls itself read-only is external_read'),
  ),
  startTimeout: buildSeconds('Seconds it may take to start; 20'),
  callTimeout: buildSeconds('Seconds without a sign of life that a call may take; 120'),
})

/** Returns the schema for the configuration, where an unknown key is an error. */
export const buildServerFields = () => z.strictObject(buildServerShape())

/**
 * Returns the schema for mcp.json and .mcp.json. Other programs read these files too, so unknown
 * keys are ignored.
 */
export const buildSharedServerFields = () => z.object(buildServerShape())

export const listServerKeys = (): string[] => Object.keys(buildServerShape())
