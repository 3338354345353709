// `anode serve start`, or `anode serve`: serves until it is stopped or nobody needs it.
import { UserError } from '../../../internal/base/errors.ts'
import { runServer } from '../../../internal/host/server/server-service.ts'
import { runPlace } from '../runs/run-place.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, type Verb } from '../verb.ts'

export const start: Verb = {
  name: 'serve start',
  summary:
    'Serve on a socket of the data directory, and with --port on this machine; the same as `anode serve`',
  usage: 'serve [start] [flags]',
  options: {
    port: { type: 'number', describe: 'Also on 127.0.0.1; 0 takes a port that is free', value: 'N' },
    json: { type: 'boolean', describe: 'Print where it listens as one JSON object' },
  },
  examples: [
    ['anode serve --port 0', 'Prints the address, and the file with the token'],
    ['anode serve', 'Only the socket, which other users cannot open'],
  ],
  run: startServer,
}

async function startServer(args: CommandArgs, io: CommandIo): Promise<number> {
  const port = numberArg(args, 'port')
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new UserError(`--port ${port} is no port`, { hint: '--port 0 takes one that is free' })
  await runServer({
    place: runPlace(io),
    signal: io.signal,
    ...(port !== undefined && { port }),
    ready({ socket, address, tokenFile }) {
      const where = { ...(address !== undefined && { address }), socket, tokenFile }
      if (flagArg(args, 'json')) return void io.stdout.write(`${JSON.stringify(where)}\n`)
      if (address !== undefined) io.stdout.write(`address  ${address}\n`)
      io.stdout.write(`socket   ${socket}\ntoken    in ${tokenFile}\n`)
    },
  })
  return 0
}
