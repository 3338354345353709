// The command `anode mcp login`, which logs in to an HTTP server with OAuth. It prints the URL to open and
// waits for the browser.

import { timeLimit } from '../../../internal/base/time-limit.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { logInToServer, withMcpServers } from '../../../internal/service/mcp/mcp-servers.ts'
import { refuseAgents } from '../consent.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

/** Time limit in milliseconds for a login in the browser, after which the command fails. */
const patienceMs = 10 * 60_000

export const login: Verb = {
  name: 'mcp login',
  summary: 'Log in to a server over HTTP; the address to open in a browser is printed',
  usage: 'mcp login SERVER',
  positionals: [{ name: 'SERVER', describe: 'Name of the server', required: true }],
  options: {},
  examples: [['anode mcp login github', 'The token is kept for this user only']],
  run: async (args: CommandArgs, io: CommandIo) => {
    refuseAgents(io)
    return withMcpServers(io, async ({ servers, data }) => {
      const member = servers.find(String(args.SERVER))
      const { name } = member.server
      const signal = AbortSignal.any([io.signal, timeLimit(patienceMs)])
      const needed = await logInToServer(member, data, signal, (url) => {
        io.stderr.write(`open this address in a browser on this machine:\n${sanitizeText(url.href)}\n`)
      })
      io.stdout.write(needed ? `logged in to ${name}\n` : `${name} lets you in without a new login\n`)
      return exitCodes.done
    })
  },
}
