// Opening of the server's web page in a browser. The token is in a file, because other users can see the
// arguments of the browser.
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { startBrowser } from '../../process/browser-start.ts'
import { createLinkCode } from './link-code.ts'
import { openServerFolder, readOwnToken } from './token-file.ts'

interface PageLink {
  /** Path of the file that redirects to the page with the token. */
  file: string
  /** Whether a browser was started. If not, the user can open the file. */
  isOpened: boolean
}

/** Returns the URL of a view at `path`, such as `/`. The token follows `#`, so no server receives it. */
export const addressOfPage = (address: string, path: string, token: string) =>
  `${address}${path}#token=${token}`

/**
 * Creates a one-time code, stores its hash in the data directory, and returns a URL with the code after `#`.
 * The URL opens the page with the permissions of its user. The code is valid for 10 minutes.
 */
export const createOneTimeLink = async (address: string, env: EnvironmentVariables): Promise<string> =>
  `${address}/#code=${await createLinkCode(dataDir(env))}`

/** Opens the page in a browser with the permissions of its user. Default for `path`: the list of all runs. */
export async function showPage(address: string, env: EnvironmentVariables, path = '/'): Promise<PageLink> {
  const data = dataDir(env)
  const folder = await openServerFolder(data)
  const target = addressOfPage(address, path, await readOwnToken(data))
  const file = join(folder, 'page.html')
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${target}"><title>Anode</title><a href="${target}">Anode</a>\n`
  await writeAtomic(file, Buffer.from(text), { mode: 0o600 })
  return { file, isOpened: await startBrowser(file, env) }
}
