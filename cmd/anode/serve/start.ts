// The command `anode serve start`, or `anode serve`, which runs the server until it is stopped or has been
// unused for some time.
import { dataDir } from '../../../internal/base/dirs.ts'
import { messageOf, UserError } from '../../../internal/base/errors.ts'
import { createOneTimeLink, showPage } from '../../../internal/service/server/page-link.ts'
import { readExposure } from '../../../internal/service/server/server-exposure.ts'
import { findServerAddress, runServer } from '../../../internal/service/server/server-service.ts'
import { runPlace } from '../runs/run-place.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, stringArg, type Verb } from '../verb.ts'

export const start: Verb = {
  name: 'serve start',
  summary:
    'Serve on a socket of the data directory, and with --port on this machine; the same as `anode serve`',
  usage: 'serve [start] [flags]',
  options: {
    port: { type: 'number', describe: 'Also on 127.0.0.1; 0 takes a port that is free', value: 'N' },
    host: {
      type: 'string',
      describe: 'Listen on this address; one that others reach wants TLS or a proxy',
      value: 'ADDRESS',
    },
    'tls-cert': { type: 'string', describe: 'Serve https with this certificate (PEM)', value: 'FILE' },
    'tls-key': { type: 'string', describe: 'Its key (PEM)', value: 'FILE' },
    'behind-proxy': {
      type: 'string',
      describe: 'Address under which a proxy serves it over https',
      value: 'URL',
    },
    open: { type: 'boolean', describe: 'Open the page in the browser, also that of a server that runs' },
    json: { type: 'boolean', describe: 'Print where it listens as one JSON object' },
  },
  examples: [
    ['anode serve --open', 'The page with all runs in the browser'],
    ['anode serve --port 0', 'Prints the address, and the file with the token'],
    ['anode serve', 'Only the socket, which other users cannot open'],
    ['anode serve --host 0.0.0.0 --port 8443 --tls-cert a.pem --tls-key a.key', 'For other machines'],
  ],
  run: startServer,
}

async function startServer(args: CommandArgs, io: CommandIo): Promise<number> {
  const isOpening = flagArg(args, 'open')
  const wishes = {
    host: stringArg(args, 'host'),
    tlsCert: stringArg(args, 'tls-cert'),
    tlsKey: stringArg(args, 'tls-key'),
    behindProxy: stringArg(args, 'behind-proxy'),
  }
  const isPlaced = Object.values(wishes).some((wish) => wish !== undefined)
  const port = numberArg(args, 'port') ?? (isOpening || isPlaced ? 0 : undefined)
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new UserError(`--port ${port} is not a port`, { hint: '--port 0 takes one that is free' })
  const running = isOpening ? await findServerAddress(dataDir(io.env)) : undefined
  if (running !== undefined) {
    await openInBrowser(running, args, io)
    return 0
  }
  const report = (work: Promise<void>) =>
    void work.catch((error) => io.stderr.write(`anode: ${messageOf(error)}\n`))
  const exposure = isPlaced ? readExposure(wishes) : undefined
  for (const note of exposure?.notes ?? []) io.stderr.write(`note: ${note}\n`)
  await runServer({
    place: runPlace(io),
    signal: io.signal,
    exposure,
    port,
    ready({ socket, address, tokenFile }) {
      const where = { address, socket, tokenFile }
      if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(where)}\n`)
      else {
        if (address !== undefined) io.stdout.write(`address  ${address}\n`)
        io.stdout.write(`socket   ${socket}\ntoken    in ${tokenFile}\n`)
        if (!isOpening) report(printWayToPage(address, io))
      }
      if (isOpening && address !== undefined) report(openInBrowser(address, args, io))
    },
  })
  return 0
}

async function openInBrowser(address: string, args: CommandArgs, io: CommandIo): Promise<void> {
  const { file, isOpened } = await showPage(address, io.env)
  io.stderr.write(isOpened ? `opened ${address}\n` : `no browser was found; open ${file}\n`)
  if (!isOpened && io.stdout.isTTY && !flagArg(args, 'json')) await printLink(address, io, '')
}

/**
 * Prints a link to the page, or how to start a server with a page. Does nothing if the output is not a
 * terminal, because pipes and logs would store the link.
 */
async function printWayToPage(address: string | undefined, io: CommandIo): Promise<void> {
  if (!io.stdout.isTTY) return
  if (address === undefined)
    io.stdout.write('page     not served; `anode serve --open` serves and opens it\n')
  else await printLink(address, io, '; `anode serve --open` opens the page')
}

async function printLink(address: string, io: CommandIo, tip: string): Promise<void> {
  const link = await createOneTimeLink(address, io.env)
  io.stdout.write(`page     ${link}\n         valid once, for 10 minutes${tip}\n`)
}
