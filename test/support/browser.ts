// Real Chromium for tests: one per file, a new context for each page, and a record of requested hosts.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, onTestFinished, test } from 'vitest'
import { onFileEnd } from './file-end.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
const program = folders
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface TestPage {
  page: Page
  /** The hosts, with ports, that it has sent requests to. */
  hosts: ReadonlySet<string>
  /** Errors of scripts and violations of the content security policy. */
  complaints: readonly string[]
}

interface PageLook {
  width?: number
  height?: number
  dark?: boolean
}

/** Declares tests that need a browser, or prints why they are skipped. */
export function withBrowser(
  name: string,
  declare: (open: (look?: PageLook) => Promise<TestPage>) => void,
): void {
  if (program === undefined) {
    const missing = 'there is no Chromium (Debian and Ubuntu: apt-get install chromium)'
    describe(name, () => {
      test('is skipped', () => console.log(`skipped ${name}: ${missing}`))
    })
    return
  }
  describe(name, () => {
    let browser: Browser
    beforeAll(async () => {
      const { chromium } = await import('playwright-core')
      // it stores crash reports and settings in the home directory
      const home = mkdtempSync(join(tmpdir(), 'anode-browser-'))
      const env = { ...process.env, HOME: home } as Record<string, string>
      browser = await chromium.launch({ executablePath: program, headless: true, args: flags, env })
      onFileEnd(async () => {
        await browser.close()
        rmSync(home, { recursive: true, force: true })
      })
    })
    declare((look) => openPage(browser, look))
  })
}

async function openPage(browser: Browser, look: PageLook = {}): Promise<TestPage> {
  const { width = 1000, height = 800, dark = false } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
  })
  onTestFinished(() => context.close())
  const hosts = new Set<string>()
  const complaints: string[] = []
  context.on('request', (request) => hosts.add(new URL(request.url()).host))
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  return { page, hosts, complaints }
}
