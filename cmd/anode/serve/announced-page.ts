// `--serve` of commands that go on for a while: the page that shows them, its address on standard error.
import { addressOfPage, showPage } from '../../../internal/service/server/page-link.ts'
import { ensurePageServer } from '../../../internal/service/server/server-start.ts'
import { runPlace } from '../runs/run-place.ts'
import type { CommandIo, CommandOption } from '../verb.ts'

export const pageOption: CommandOption = {
  type: 'boolean',
  describe: 'Serve a page that shows it, and print its address',
}

/** What it gives is called with the path of the view. On a terminal the page opens in the browser too. */
export async function announcePage(io: CommandIo): Promise<(path: string) => void> {
  const { address, token } = await ensurePageServer(runPlace(io))
  return (path) => {
    io.stderr.write(`page  ${addressOfPage(address, path, token)}\n`)
    if (io.stderr.isTTY) void showPage(address, io.env, path).catch(() => undefined)
  }
}
