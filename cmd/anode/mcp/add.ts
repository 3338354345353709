// The command `anode mcp add`, which checks the settings of a server and writes them into the user's or the
// workspace's file. It starts nothing.
import { UserError } from '../../../internal/base/errors.ts'
import type { McpServerSettings } from '../../../internal/mcp/config/server-config.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { addServer, type McpServerScope } from '../../../internal/service/mcp/mcp-server-edit.ts'
import { refuseAgents } from '../consent.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, listArg, stringArg, type Verb } from '../verb.ts'

export const add: Verb = {
  name: 'mcp add',
  summary: 'Add a server: a program to start, or the address of one over HTTP; nothing is started',
  usage: 'mcp add NAME [flags] (--url URL | -- COMMAND ARGS…)',
  positionals: [
    { name: 'NAME', describe: 'Name of the server, part of the names of its tools', required: true },
    {
      name: 'COMMAND',
      describe: 'Program and its arguments; after -- they are taken as they are',
      many: true,
    },
  ],
  options: {
    url: { type: 'string', describe: 'Address of a server over HTTP', value: 'URL' },
    header: { type: 'array', describe: 'Header of every request; repeatable', value: 'K=V' },
    env: { type: 'array', describe: 'Variable that the program gets; repeatable', value: 'K=V' },
    scope: {
      type: 'string',
      describe: "user: your mcp.json; workspace: .mcp.json of this workspace, which counts when it's trusted",
      choices: ['user', 'workspace'],
      default: 'user',
    },
    ...doneOptions,
  },
  examples: [
    ['anode mcp add memory -- npx -y @modelcontextprotocol/server-memory', 'A program'],
    [
      "anode mcp add tracker --url https://tracker.example/mcp --header 'X-Team: core'",
      'Over HTTP; anode mcp login tracker when it wants that',
    ],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const name = stringArg(args, 'NAME') ?? ''
    const scope = stringArg(args, 'scope') as McpServerScope
    const context = await readWorkspaceContext(io.cwd, io.env)
    const { path, notes } = await addServer(context, scope, name, serverConfigOf(args))
    for (const note of notes) io.stderr.write(`note: ${sanitizeText(note)}\n`)
    if (context.loaded.config.mcp?.enabled === false)
      io.stderr.write('note: mcp.enabled is false: no server is used\n')
    // Trust depends on the content of the workspace's files, so a server that is added to the workspace
    // revokes the trust.
    const next =
      scope === 'workspace' ? `anode trust, then anode mcp tools ${name}` : `anode mcp tools ${name}`
    const text = `${name} is added to ${path}\nNext: ${next} starts it and lists its tools.\n`
    printDone(args, io, fitLines(text, io), { server: name, file: path, scope })
    return 0
  },
}

function serverConfigOf(args: CommandArgs): McpServerSettings {
  const [command, ...rest] = listArg(args, 'COMMAND')
  const url = stringArg(args, 'url')
  const headers = pairsOf(args, 'header', /^([\w-]+)\s*[=:]\s*([\s\S]*)$/)
  const env = pairsOf(args, 'env', /^([A-Za-z_]\w*)=([\s\S]*)$/)
  const hint = 'anode mcp add NAME -- COMMAND ARGS…, or anode mcp add NAME --url URL'
  if ((command === undefined) === (url === undefined)) {
    const what =
      url === undefined
        ? 'the command or the --url of the server is missing'
        : 'a server has a command or --url, not both'
    throw new UserError(what, { hint })
  }
  if (url === undefined) {
    if (headers) throw new UserError('--header is for a server with --url', { hint: 'a program takes --env' })
    return { command, args: rest.length > 0 ? rest : undefined, env }
  }
  if (env) throw new UserError('--env is for a program', { hint: 'a server with --url takes --header' })
  return { url, headers }
}

function pairsOf(args: CommandArgs, name: string, form: RegExp): Record<string, string> | undefined {
  const pairs = listArg(args, name).map((text) => {
    const [, key = '', value = ''] = form.exec(text) ?? []
    if (key === '') throw new UserError(`--${name} must be K=V, got ${text}`)
    return [key, value] as const
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}
