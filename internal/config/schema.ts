// Schema of the configuration file: the type of every key, with descriptions of most keys.
import * as z from 'zod/mini'
import { buildServerFields, buildServerPlaces } from './mcp-server-schema.ts'
import { buildReviewer } from './reviewer-schema.ts'
import { buildWorkers } from './worker-schema.ts'

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}
const text = (description: string) => described(z.string(), description)
const texts = (description: string) => described(z.array(z.string()), description)
const optional = z.optional
/** Returns the schema of a model name or a list of them, best first. The program joins a list with commas. */
const models = (description: string) =>
  described(
    z.pipe(
      z.union([z.string(), z.array(z.string())]),
      z.transform((names) => (typeof names === 'string' ? names : names.join(','))),
    ),
    description,
  )
const skillServers = 'true: skills may bring MCP servers in workspaces that are not trusted, too'
const positive = () => z.int().check(z.minimum(1))
const waitLimit = (description: string) =>
  optional(described(z.int().check(z.minimum(1), z.maximum(2_000_000)), description))

const rule = () =>
  z.strictObject({
    tool: text('Tool name or glob'),
    action: described(z.enum(['allow', 'ask', 'deny']), 'What happens when the rule matches'),
    command: optional(text('Words a shell command begins with; =LINE for one exact line')),
    cwd: optional(text('Folder a command runs in: glob relative to the workspace, . for itself, ** for any')),
    class: optional(
      described(
        z.enum(['building', 'committing']),
        'Only words known to only test or build, or stage and commit',
      ),
    ),
    port: optional(
      described(z.int().check(z.minimum(1), z.maximum(65_535)), 'For curl: this port here, reading'),
    ),
    path: optional(text('Glob relative to the workspace')),
    host: optional(text('Host name glob')),
    args: optional(described(z.record(z.string(), z.string()), 'Parameter name to glob or /regex/')),
    profile: optional(text('Only under this profile')),
    agent: optional(described(z.enum(['thread', 'subagent']), 'Only for the main agent or for its children')),
    reason: optional(text('Shown when the rule decides')),
    examples: optional(
      described(
        z.strictObject({ match: optional(z.array(z.string())), no_match: optional(z.array(z.string())) }),
        'Checked when the configuration loads',
      ),
    ),
  })

const profile = () =>
  z.strictObject({
    about: optional(text('One line for listings')),
    tools: optional(texts('Tool names and globs')),
    readOnly: optional(described(z.boolean(), 'Keep only tools that read')),
    maxTurns: optional(positive()),
    effort: optional(described(z.int().check(z.minimum(0), z.maximum(6)), 'Reasoning effort, 0 to 6')),
    model: optional(models('provider/model, or a list with fallbacks in order')),
    toolset: optional(text('Toolset of its runs')),
    until: optional(texts('Commands that have to pass before its runs end as done')),
    prompt: optional(text('System prompt')),
  })

const provider = () =>
  z.strictObject({
    baseUrl: optional(text('Root of an OpenAI-compatible API')),
    apiKey: optional(text('Key; write {env:NAME} rather than the key itself')),
    model: optional(text('Model used when none is named')),
    models: optional(texts('The only models that may be named')),
    apiFormat: optional(
      described(z.enum(['chat', 'responses', 'messages']), 'Which wire format the endpoint speaks'),
    ),
    cache: optional(
      described(
        z.union([z.enum(['5m', '1h']), z.literal(false)]),
        'How long the provider keeps a prefix (format messages); false: not at all',
      ),
    ),
    tools: optional(described(z.enum(['native', 'text']), 'text: the endpoint cannot call tools')),
    documents: optional(described(z.boolean(), 'Whether its models read PDFs as documents')),
    finishReason: optional(described(z.enum(['required', 'optional']), 'Whether replies say why they end')),
    headers: optional(z.record(z.string(), z.string())),
    window: optional(described(positive(), 'Context window in tokens')),
    timeouts: optional(
      z.strictObject({
        idle: optional(described(positive(), 'Milliseconds without a byte before a stream counts as broken')),
        firstByte: optional(described(positive(), 'The same until the first byte; longer for local servers')),
      }),
    ),
    maxConcurrent: optional(described(positive(), 'Requests sent at a time; the others wait in line')),
    price: optional(
      z.strictObject({
        input: described(z.number(), 'USD per million input tokens'),
        output: described(z.number(), 'USD per million output tokens'),
        cached: optional(described(z.number(), 'USD per million tokens read from the cache')),
        cacheWrite: optional(described(z.number(), 'USD per million tokens written to the cache')),
        cacheWrite1h: optional(described(z.number(), 'The same for what is kept for an hour')),
      }),
    ),
  })

/** Returns the schema of a remote approval target: a program, a URL, or a channel of an MCP server. */
const relay = () =>
  z.strictObject({
    command: optional(texts('Program with its arguments: reads the question as JSON, prints the answer')),
    url: optional(text('https address that questions are posted to')),
    secret: optional(text('What both sides sign with; write {env:NAME}')),
    mcp: optional(text('Name of a configured MCP server with a channel')),
    origin: optional(
      described(
        z.strictObject({
          source: optional(text('Kind of the channel')),
          user: optional(text('User to ask')),
          session: optional(text('Chat or channel')),
          thread: optional(text('Conversation within it')),
        }),
        'Where on the channel to ask',
      ),
    ),
    timeout: optional(
      described(
        z.int().check(z.minimum(1), z.maximum(600)),
        'Seconds an answer is waited for, 600 without it',
      ),
    ),
  })

/**
 * Schemas by key. A schema is built when a file has its key, because building all takes longer than
 * reading a file.
 */
const fields = {
  $schema: () => optional(text('Address of this schema, for editors')),
  model: () => optional(models('provider/model used when no flag names one, or a list of them')),
  profile: () => optional(text('Profile used when no flag names one')),
  toolset: () => optional(text('Toolset of runs when neither flag nor profile names one: anode, hooman, ah')),
  providers: () => optional(described(z.record(z.string(), provider()), 'Model endpoints by name')),
  profiles: () =>
    optional(
      described(z.record(z.string(), profile()), 'Own profiles, or changes to built-in ones, by name'),
    ),
  permissions: () => optional(described(z.array(rule()), 'Rules; deny beats ask beats allow')),
  permissionPreset: () =>
    optional(
      described(
        z.enum(['careful', 'strict', 'unrestricted', 'yolo']),
        'A ready-made set of rules under the own ones; yolo is another name for unrestricted',
      ),
    ),
  approvals: () =>
    optional(
      z.strictObject({
        relay: optional(described(relay(), 'Who else is asked: one of command, url and mcp')),
        reviewer: buildReviewer(),
        wait: waitLimit('Seconds until a question counts as unanswered; a day without it'),
        unattended: waitLimit('Seconds that a question waits in a run that no user watches'),
      }),
    ),
  sandbox: () =>
    optional(
      described(z.enum(['auto', 'require', 'off']), 'Sandbox for commands: if available, required, or off'),
    ),
  protectedDirs: () => optional(texts('Directories that are never written')),
  tools: () =>
    optional(
      z.strictObject({
        disabled: optional(texts('Tool names and globs that do not exist for anybody')),
        toolboxDirs: optional(texts('Directories of toolbox programs')),
        externalTimeout: optional(described(positive(), 'Seconds a toolbox program may take')),
      }),
    ),
  ui: () =>
    optional(
      z.strictObject({
        keys: optional(
          described(
            z.record(z.string(), z.union([z.string(), z.array(z.string())])),
            'Keys of a session: action to key or keys',
          ),
        ),
        notify: optional(
          described(z.union([z.enum(['off', 'bell', 'osc9']), z.array(z.string())]), 'How you are called'),
        ),
        screen: optional(described(z.enum(['inline', 'full', 'plain']), 'How a session is drawn')),
        theme: optional(described(z.enum(['auto', 'dark', 'light', 'mono']), 'Colors of a session')),
        mouse: optional(described(z.boolean(), 'false leaves the mouse to the terminal on the full screen')),
        reflow: optional(
          described(z.enum(['text', 'lines', 'cut']), 'What the terminal does with rows that are too wide'),
        ),
        escapeMs: optional(
          described(z.int().check(z.minimum(10), z.maximum(2_000)), 'How long a lone Esc waits, in ms'),
        ),
      }),
    ),
  shell: () =>
    optional(
      z.strictObject({
        env: optional(texts('More variables for commands, also with secret names; NAME or PREFIX*')),
        read: optional(texts('More files and directories that sandboxed commands may read')),
        searchLimit: optional(described(z.int().check(z.minimum(1)), 'Most directories to search')),
        blocked: optional(texts('Programs that bash refuses')),
      }),
    ),
  web: () =>
    optional(
      z.strictObject({
        enabled: optional(described(z.boolean(), 'false hides web_search and web_fetch')),
        provider: optional(
          described(
            z.enum(['exa', 'serper', 'searxng', 'duckduckgo']),
            'Search engine; absent: the first that is set up',
          ),
        ),
        searxngUrl: optional(text('Base URL of a SearXNG server')),
        exaKey: optional(text('Exa API key; write {env:EXA_API_KEY}')),
        scholar: optional(
          described(
            z.enum(['serper', 'openalex', 'semantic_scholar', 'crossref', 'arxiv']),
            'The only engine of scholar_search',
          ),
        ),
        openalexKey: optional(text('OpenAlex API key')),
        serperKey: optional(text('Serper API key')),
      }),
    ),
  lsp: () =>
    optional(
      z.strictObject({
        enabled: optional(described(z.boolean(), 'false starts no language server and hides their tools')),
      }),
    ),
  otel: () =>
    optional(
      z.strictObject({
        content: optional(described(z.boolean(), 'true: traces hold what was said and done, secrets hidden')),
      }),
    ),
  lookAt: () =>
    optional(
      z.strictObject({
        targets: optional(
          described(z.record(z.string(), z.string()), 'Named pictures for look_at: name to path'),
        ),
      }),
    ),
  mcpServers: () =>
    optional(described(z.record(z.string(), buildServerFields()), 'MCP servers by name; see also mcp.json')),
  mcp: () =>
    optional(
      z.strictObject({
        enabled: optional(described(z.boolean(), 'false: no MCP server exists for anybody')),
        startTimeout: optional(described(positive(), 'Seconds a server may take to start')),
        callTimeout: optional(described(positive(), 'Seconds without a sign of life that a call may take')),
      }),
    ),
  workers: buildWorkers,
  plugins: () =>
    optional(
      z.strictObject({
        paths: optional(
          texts('Executables that are process plugins; relative ones lie in the workspace and need trust'),
        ),
        sandbox: optional(described(buildServerPlaces(), 'What the sandbox of plugins gives access to')),
        startTimeout: optional(described(positive(), 'Seconds a plugin may take to start')),
        callTimeout: optional(described(positive(), 'Seconds a call of a plugin may take')),
      }),
    ),
  skills: () => optional(z.strictObject({ allowMCP: optional(described(z.boolean(), skillServers)) })),
  session: () =>
    optional(
      z.strictObject({
        maxSessions: optional(described(positive(), 'Threads per workspace before the oldest are archived')),
      }),
    ),
}

type ConfigFields = { [Key in keyof typeof fields]: ReturnType<(typeof fields)[Key]> }

/**
 * Returns the schema of a file with only `keys`; every other key is an error. Default: all keys
 * of the program.
 */
export function buildConfigFields(
  keys: readonly string[] = Object.keys(fields),
): z.ZodMiniObject<ConfigFields, z.core.$strict> {
  const known = Object.entries(fields).filter(([key]) => keys.includes(key))
  const shape = Object.fromEntries(known.map(([key, build]) => [key, build()]))
  return z.strictObject(shape) as unknown as z.ZodMiniObject<ConfigFields, z.core.$strict>
}

export type AnodeConfig = z.output<ReturnType<typeof buildConfigFields>>
