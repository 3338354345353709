// The command `anode mcp remove`, which deletes a server from its file, with its login and approvals.

import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import {
  findDeclaredServer,
  type McpServerScope,
  removeServer,
} from '../../../internal/service/mcp/mcp-server-edit.ts'
import { refuseAgents } from '../consent.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const remove: Verb = {
  name: 'mcp remove',
  summary: 'Remove a server from its configuration file, and forget its login',
  usage: 'mcp remove NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Name of the server', required: true }],
  options: {
    ...deletionOptions,
    scope: {
      type: 'string',
      describe: 'Only from your files, or only from the workspace; default: where it is found first',
      choices: ['user', 'workspace'],
    },
  },
  examples: [['anode mcp remove memory', 'Its tools are gone at the next start']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    const name = stringArg(args, 'NAME') ?? ''
    const scope = stringArg(args, 'scope') as McpServerScope | undefined
    const context = await readWorkspaceContext(io.cwd, io.env)
    const server = await findDeclaredServer(context, name, scope)
    const done = fitLines(`${name} is removed from ${server.path}\n`, io).trimEnd()
    const items = [{ kind: 'server', id: name, about: `server ${name} in ${server.path}`, done }]
    const command = ['mcp', 'remove', name, ...(scope === undefined ? [] : ['--scope', scope])]
    return deleteItems({ command, items }, args, io, () => removeServer(context, server))
  },
}
