// Built files of the web page, and the HTML document that loads them.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { codeOf } from '../../base/errors.ts'
import { ProblemError } from './problem.ts'

interface PageFiles {
  /**
   * Returns the HTML document of the page, which contains nothing confidential. Throws ProblemError 404 if
   * the page was not built.
   */
  document(): Promise<Response>
  /**
   * Returns a script or style by its hashed name, compressed if `acceptsBrotli` is true. Throws ProblemError
   * 404 for an unknown name.
   */
  asset(name: string, acceptsBrotli: boolean): Promise<Response>
}

/**
 * Content security policy of the page: it loads only files of this server, and its scripts cannot parse
 * text as markup.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const decompress = promisify(brotliDecompress)

/** Opens the files of the build. They are read when first needed. */
export function openPageFiles(): PageFiles {
  let pageFiles: Promise<ReadonlyMap<string, Buffer>> | undefined
  const files = () => {
    pageFiles ??= readPageFiles()
    return pageFiles
  }
  return {
    async document() {
      const names = [...(await files()).keys()]
      // The document loads only this script, which loads others when they are needed.
      const script = names.find((name) => /^main-.*\.js$/.test(name))
      const style = names.find((name) => name.endsWith('.css'))
      if (!script || !style) throw new ProblemError(404, 'the page has not been built')
      const headers = { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' }
      return new Response(writeDocument(script, style), { headers })
    },
    async asset(name, acceptsBrotli) {
      const packed = (await files()).get(name)
      if (!packed) throw new ProblemError(404, 'file not found')
      const bytes = new Uint8Array(acceptsBrotli ? packed : await decompress(packed))
      const headers = {
        ...pageHeaders,
        'content-length': String(bytes.length),
        'content-type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        // Files can be cached for a year, because a file with other content has another name.
        'cache-control': 'private, max-age=31536000, immutable',
        ...(acceptsBrotli && { 'content-encoding': 'br' }),
      }
      return new Response(bytes, { headers })
    },
  }
}

/**
 * Returns the Brotli-compressed files of the page by name, without `.br`; empty if the page was not built.
 */
async function readPageFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const here = dirname(fileURLToPath(import.meta.url))
  // The page is next to the running bundle, above the bundle's chunks, or in the build output
  // of these sources.
  const places = [join(here, 'page'), join(here, '..', 'page'), join(here, '../../../dist/page')]
  for (const place of places) {
    try {
      const names = (await readdir(place)).filter((name) => name.endsWith('.br'))
      const read = async (name: string) => [name.slice(0, -3), await readFile(join(place, name))] as const
      return new Map(await Promise.all(names.map(read)))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return new Map()
}

const writeDocument = (script: string, style: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Anode</title>
<link rel="stylesheet" href="/page/${style}">
<script type="module" src="/page/${script}"></script>
</head>
<body>
<div id="app">
<header class="bar"><a class="brand" href="/">Anode</a></header>
<main class="frame"><p class="quiet">Asking the server…</p>
<noscript><p>This page needs its scripts; see <code>anode runs list</code>.</p></noscript>
</main>
</div>
</body>
</html>
`
