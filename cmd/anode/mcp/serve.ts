// The command `anode mcp serve`, which offers the tools of this workspace to other programs, as
// an MCP server.
import { UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { serveMcpToClient, serveMcpToHttpClients } from '../../../internal/service/mcp-server/mcp-service.ts'
import { verifyToolNames } from '../../../internal/service/mcp-server/verify-surface.ts'
import { approvalChoices, readApproval } from '../flags.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  listArg,
  numberArg,
  readSandbox,
  sandboxOption,
  stringArg,
  type Verb,
} from '../verb.ts'

export const serve: Verb = {
  name: 'mcp serve',
  summary:
    'Offer the tools of this workspace to other programs, as an MCP server on standard input and output',
  usage: 'mcp serve [flags]',
  options: {
    profile: { type: 'string', describe: 'What this profile may call', value: 'NAME' },
    all: { type: 'boolean', describe: 'All tools, not only those that check work and claims' },
    allow: {
      type: 'array',
      describe: 'Command that `prove` and `research_compare` may run without a question',
      value: 'CMD',
    },
    approval: {
      type: 'string',
      describe: 'What runs without a question; the client puts other questions to its user',
      choices: approvalChoices,
      default: 'ask',
    },
    sandbox: sandboxOption,
    http: {
      type: 'boolean',
      describe: 'Over HTTP on 127.0.0.1 instead, for clients with the token of `anode serve`',
    },
    port: { type: 'number', describe: 'With --http: the port; any that is free without it', value: 'N' },
    'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
  },
  examples: [
    ["anode mcp serve --allow 'npm test'", 'A verifier for another agent; this check needs no answer'],
    ['anode mcp serve --profile review', 'Only reading, for another agent'],
    ['anode mcp serve --all --approval edits', 'All tools; edits in the workspace need no answer'],
    ['anode mcp serve --http --port 8091', 'Prints the address, and the file with the token'],
  ],
  run: serveTools,
}

async function serveTools(args: CommandArgs, io: CommandIo): Promise<number> {
  const profile = stringArg(args, 'profile')
  const isAll = flagArg(args, 'all')
  if (isAll && profile !== undefined)
    throw new UserError('--all and --profile exclude each other', { hint: 'remove one of them' })
  const options = {
    only: isAll || profile !== undefined ? undefined : verifyToolNames,
    allow: listArg(args, 'allow'),
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    profile,
    mode: readApproval(String(args.approval)),
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
  }
  const note = (text: string) => void io.stderr.write(`note: ${sanitizeText(text)}\n`)
  const port = readPort(args)
  if (port === undefined) await serveMcpToClient(options, { input: io.stdin, output: io.stdout.stream, note })
  else
    await serveMcpToHttpClients(options, {
      port,
      note,
      ready: ({ address, tokenFile }) =>
        void io.stdout.write(`address  ${address}\ntoken    in ${tokenFile}\n`),
    })
  return 0
}

/**
 * Returns the port for HTTP, 0 for any free port; undefined without `--http`. Throws UserError for an invalid
 * port, and for a port without `--http`.
 */
function readPort(args: CommandArgs): number | undefined {
  const port = numberArg(args, 'port')
  if (!flagArg(args, 'http')) {
    if (port === undefined) return undefined
    throw new UserError('--port is for --http', { hint: 'add --http' })
  }
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port < 65_536)) return port ?? 0
  throw new UserError(`--port ${port} is not a port`, { hint: '--port 0 takes one that is free' })
}
