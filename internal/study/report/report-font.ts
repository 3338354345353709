// Fonts of PDF reports, which are next to the running bundle or in the installed packages.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

export type ReportFontName = 'DejaVuSans' | 'DejaVuSans-Bold' | 'DejaVuSansMono'

/**
 * Returns the bytes of a TrueType font. Throws if the font is neither next to the bundle nor in
 * an installed package.
 */
export function readReportFont(name: ReportFontName, from: string = import.meta.url): Buffer {
  const here = dirname(fileURLToPath(from))
  for (const dir of [here, dirname(here)]) {
    const packed = join(dir, 'fonts', `${name}.ttf.br`)
    if (existsSync(packed)) return brotliDecompressSync(readFileSync(packed))
  }
  return readFileSync(createRequire(from).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
}
