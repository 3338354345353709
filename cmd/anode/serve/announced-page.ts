// The flag `--serve` of commands that take long. It opens a web page for the command, whose URL is printed
// on standard error.
import { addressOfPage, showPage } from '../../../internal/service/server/page-link.ts'
import { ensurePageServer } from '../../../internal/service/server/server-start.ts'
import { runPlace } from '../runs/run-place.ts'
import type { CommandIo, CommandOption } from '../verb.ts'

export const pageOption: CommandOption = {
  type: 'boolean',
  describe: 'Serve a page that shows it, and print its address',
}

/**
 * Starts the page server if it does not run. Returns a function that prints the URL of a view, given the path
 * of the view. If standard error is a terminal, the function also opens the browser. Throws UserError if the
 * active server has no port.
 */
export async function announcePage(io: CommandIo): Promise<(path: string) => void> {
  const { address, token } = await ensurePageServer(runPlace(io))
  return (path) => {
    io.stderr.write(`page  ${addressOfPage(address, path, token)}\n`)
    if (io.stderr.isTTY) void showPage(address, io.env, path).catch(() => undefined)
  }
}
