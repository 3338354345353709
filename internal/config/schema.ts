// Schema of the configuration file: the type of every key, with descriptions of most keys.
import * as z from 'zod/mini'
import { buildServerFields, buildServerPlaces, noteKey } from './mcp-server-schema.ts'
import { buildReviewer } from './reviewer-schema.ts'
import { buildWorkers } from './worker-schema.ts'

const textOf = (description: string) => noteKey(z.string(), description)
const textsOf = (description: string) => noteKey(z.array(z.string()), description)
const optional = z.optional
/** Returns the schema of a model name or a list of them, best first. The program joins a list with commas. */
const modelsOf = (description: string) =>
  noteKey(
    z.pipe(
      z.union([z.string(), z.array(z.string())]),
      z.transform((names) => (typeof names === 'string' ? names : names.join(','))),
    ),
    description,
  )
const skillServers = 'true: skills may bring MCP servers in workspaces that are not trusted, too'
const minOne = () => z.int().check(z.minimum(1))
const waitLimit = (description: string) =>
  optional(noteKey(z.int().check(z.minimum(1), z.maximum(2_000_000)), description))

const buildRule = () =>
  z.strictObject({
    tool: textOf('Tool name or glob'),
    action: noteKey(z.enum(['allow', 'ask', 'deny']), 'What happens when the rule matches'),
    command: optional(textOf('Words a shell command begins with; =LINE for one exact line')),
    cwd: optional(
      textOf('Folder a command runs in: glob relative to the workspace, . for itself, ** for any'),
    ),
    class: optional(
      noteKey(
        z.enum(['building', 'committing']),
        'Only words known to only test or build, or stage and commit',
      ),
    ),
    port: optional(
      noteKey(z.int().check(z.minimum(1), z.maximum(65_535)), 'For curl: this port here, reading'),
    ),
    path: optional(textOf('Glob relative to the workspace')),
    host: optional(textOf('Host name glob')),
    args: optional(noteKey(z.record(z.string(), z.string()), 'Parameter name to glob or /regex/')),
    profile: optional(textOf('Only under this profile')),
    agent: optional(noteKey(z.enum(['thread', 'subagent']), 'Only for the main agent or for its children')),
    reason: optional(textOf('Shown when the rule decides')),
    examples: optional(
      noteKey(
        z.strictObject({ match: optional(z.array(z.string())), no_match: optional(z.array(z.string())) }),
        'Checked when the configuration loads',
      ),
    ),
  })

const buildProfile = () =>
  z.strictObject({
    about: optional(textOf('One line for listings')),
    tools: optional(textsOf('Tool names and globs')),
    readOnly: optional(noteKey(z.boolean(), 'Keep only tools that read')),
    maxTurns: optional(minOne()),
    effort: optional(noteKey(z.int().check(z.minimum(0), z.maximum(6)), 'Reasoning effort, 0 to 6')),
    model: optional(modelsOf('provider/model, or a list with fallbacks in order')),
    toolset: optional(textOf('Toolset of its runs')),
    until: optional(textsOf('Commands that have to pass before its runs end as done')),
    prompt: optional(textOf('System prompt')),
  })

const buildProvider = () =>
  z.strictObject({
    baseUrl: optional(textOf('Root of an OpenAI-compatible API')),
    apiKey: optional(textOf('Key; write {env:NAME} rather than the key itself')),
    model: optional(textOf('Model used when none is named')),
    models: optional(textsOf('The only models that may be named')),
    apiFormat: optional(
      noteKey(z.enum(['chat', 'responses', 'messages']), 'Which wire format the endpoint speaks'),
    ),
    cache: optional(
      noteKey(
        z.union([z.enum(['5m', '1h']), z.literal(false)]),
        'How long the provider keeps a prefix (format messages); false: not at all',
      ),
    ),
    tools: optional(noteKey(z.enum(['native', 'text']), 'text: the endpoint cannot call tools')),
    documents: optional(noteKey(z.boolean(), 'Whether its models read PDFs as documents')),
    finishReason: optional(noteKey(z.enum(['required', 'optional']), 'Whether replies say why they end')),
    headers: optional(z.record(z.string(), z.string())),
    window: optional(noteKey(minOne(), 'Context window in tokens')),
    timeouts: optional(
      z.strictObject({
        idle: optional(noteKey(minOne(), 'Milliseconds without a byte before a stream counts as broken')),
        firstByte: optional(noteKey(minOne(), 'The same until the first byte; longer for local servers')),
      }),
    ),
    maxConcurrent: optional(noteKey(minOne(), 'Requests sent at a time; the others wait in line')),
    price: optional(
      z.strictObject({
        input: noteKey(z.number(), 'USD per million input tokens'),
        output: noteKey(z.number(), 'USD per million output tokens'),
        cached: optional(noteKey(z.number(), 'USD per million tokens read from the cache')),
        cacheWrite: optional(noteKey(z.number(), 'USD per million tokens written to the cache')),
        cacheWrite1h: optional(noteKey(z.number(), 'The same for what is kept for an hour')),
      }),
    ),
  })

/** Returns the schema of a remote approval target: a program, a URL, or a channel of an MCP server. */
const buildRelay = () =>
  z.strictObject({
    command: optional(textsOf('Program with its arguments: reads the question as JSON, prints the answer')),
    url: optional(textOf('https address that questions are posted to')),
    secret: optional(textOf('What both sides sign with; write {env:NAME}')),
    mcp: optional(textOf('Name of a configured MCP server with a channel')),
    origin: optional(
      noteKey(
        z.strictObject({
          source: optional(textOf('Kind of the channel')),
          user: optional(textOf('User to ask')),
          session: optional(textOf('Chat or channel')),
          thread: optional(textOf('Conversation within it')),
        }),
        'Where on the channel to ask',
      ),
    ),
    timeout: optional(
      noteKey(z.int().check(z.minimum(1), z.maximum(600)), 'Seconds an answer is waited for, 600 without it'),
    ),
  })

/**
 * Schemas by key. A schema is built when a file has its key, because building all takes longer than
 * reading a file.
 */
const fields = {
  $schema: () => optional(textOf('Address of this schema, for editors')),
  model: () => optional(modelsOf('provider/model used when no flag names one, or a list of them')),
  profile: () => optional(textOf('Profile used when no flag names one')),
  toolset: () =>
    optional(textOf('Toolset of runs when neither flag nor profile names one: anode, hooman, ah')),
  providers: () => optional(noteKey(z.record(z.string(), buildProvider()), 'Model endpoints by name')),
  profiles: () =>
    optional(
      noteKey(z.record(z.string(), buildProfile()), 'Own profiles, or changes to built-in ones, by name'),
    ),
  permissions: () => optional(noteKey(z.array(buildRule()), 'Rules; deny beats ask beats allow')),
  permissionPreset: () =>
    optional(
      noteKey(
        z.enum(['careful', 'strict', 'unrestricted', 'yolo']),
        'A ready-made set of rules under the own ones; yolo is another name for unrestricted',
      ),
    ),
  approvals: () =>
    optional(
      z.strictObject({
        relay: optional(noteKey(buildRelay(), 'Who else is asked: one of command, url and mcp')),
        reviewer: buildReviewer(),
        wait: waitLimit('Seconds until a question counts as unanswered; a day without it'),
        unattended: waitLimit('Seconds that a question waits in a run that no user watches'),
      }),
    ),
  sandbox: () =>
    optional(
      noteKey(z.enum(['auto', 'require', 'off']), 'Sandbox for commands: if available, required, or off'),
    ),
  protectedDirs: () => optional(textsOf('Directories that are never written')),
  tools: () =>
    optional(
      z.strictObject({
        disabled: optional(textsOf('Tool names and globs that do not exist for anybody')),
        toolboxDirs: optional(textsOf('Directories of toolbox programs')),
        externalTimeout: optional(noteKey(minOne(), 'Seconds a toolbox program may take')),
      }),
    ),
  ui: () =>
    optional(
      z.strictObject({
        keys: optional(
          noteKey(
            z.record(z.string(), z.union([z.string(), z.array(z.string())])),
            'Keys of a session: action to key or keys',
          ),
        ),
        notify: optional(
          noteKey(z.union([z.enum(['off', 'bell', 'osc9']), z.array(z.string())]), 'How you are called'),
        ),
        screen: optional(noteKey(z.enum(['inline', 'full', 'plain']), 'How a session is drawn')),
        theme: optional(noteKey(z.enum(['auto', 'dark', 'light', 'mono']), 'Colors of a session')),
        mouse: optional(noteKey(z.boolean(), 'false leaves the mouse to the terminal on the full screen')),
        reflow: optional(
          noteKey(z.enum(['text', 'lines', 'cut']), 'What the terminal does with rows that are too wide'),
        ),
        escapeMs: optional(
          noteKey(z.int().check(z.minimum(10), z.maximum(2_000)), 'How long a lone Esc waits, in ms'),
        ),
      }),
    ),
  shell: () =>
    optional(
      z.strictObject({
        env: optional(textsOf('More variables for commands, also with secret names; NAME or PREFIX*')),
        read: optional(textsOf('More files and directories that sandboxed commands may read')),
        searchLimit: optional(noteKey(z.int().check(z.minimum(1)), 'Most directories to search')),
        blocked: optional(textsOf('Programs that bash refuses')),
      }),
    ),
  web: () =>
    optional(
      z.strictObject({
        enabled: optional(noteKey(z.boolean(), 'false hides web_search and web_fetch')),
        provider: optional(
          noteKey(
            z.enum(['exa', 'serper', 'searxng', 'duckduckgo']),
            'Search engine; absent: the first that is set up',
          ),
        ),
        searxngUrl: optional(textOf('Base URL of a SearXNG server')),
        exaKey: optional(textOf('Exa API key; write {env:EXA_API_KEY}')),
        scholar: optional(
          noteKey(
            z.enum(['serper', 'openalex', 'semantic_scholar', 'crossref', 'arxiv']),
            'The only engine of scholar_search',
          ),
        ),
        openalexKey: optional(textOf('OpenAlex API key')),
        serperKey: optional(textOf('Serper API key')),
      }),
    ),
  lsp: () =>
    optional(
      z.strictObject({
        enabled: optional(noteKey(z.boolean(), 'false starts no language server and hides their tools')),
      }),
    ),
  otel: () =>
    optional(
      z.strictObject({
        content: optional(noteKey(z.boolean(), 'true: traces hold what was said and done, secrets hidden')),
      }),
    ),
  lookAt: () =>
    optional(
      z.strictObject({
        targets: optional(
          noteKey(z.record(z.string(), z.string()), 'Named pictures for look_at: name to path'),
        ),
      }),
    ),
  mcpServers: () =>
    optional(noteKey(z.record(z.string(), buildServerFields()), 'MCP servers by name; see also mcp.json')),
  mcp: () =>
    optional(
      z.strictObject({
        enabled: optional(noteKey(z.boolean(), 'false: no MCP server exists for anybody')),
        startTimeout: optional(noteKey(minOne(), 'Seconds a server may take to start')),
        callTimeout: optional(noteKey(minOne(), 'Seconds without a sign of life that a call may take')),
      }),
    ),
  workers: buildWorkers,
  plugins: () =>
    optional(
      z.strictObject({
        paths: optional(
          textsOf('Executables that are process plugins; relative ones lie in the workspace and need trust'),
        ),
        sandbox: optional(noteKey(buildServerPlaces(), 'What the sandbox of plugins gives access to')),
        startTimeout: optional(noteKey(minOne(), 'Seconds a plugin may take to start')),
        callTimeout: optional(noteKey(minOne(), 'Seconds a call of a plugin may take')),
      }),
    ),
  skills: () => optional(z.strictObject({ allowMCP: optional(noteKey(z.boolean(), skillServers)) })),
  session: () =>
    optional(
      z.strictObject({
        maxSessions: optional(noteKey(minOne(), 'Threads per workspace before the oldest are archived')),
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
  const entries = Object.entries(fields).filter(([key]) => keys.includes(key))
  const shape = Object.fromEntries(entries.map(([key, build]) => [key, build()]))
  return z.strictObject(shape) as unknown as z.ZodMiniObject<ConfigFields, z.core.$strict>
}

export type AnodeConfig = z.output<ReturnType<typeof buildConfigFields>>
