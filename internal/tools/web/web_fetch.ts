// The tool web_fetch: returns one web page as text, one part at a time.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { hideUrlSecrets } from '../../base/url-credentials.ts'
import type { GuardedFetch } from '../../net/guarded-fetch.ts'
import { resolveFacts } from '../../policy/call-facts.ts'
import { decide, type PermissionDecision, type PolicyCall, withStoredRules } from '../../policy/decide.ts'
import type { CallScope } from '../../policy/level.ts'
import { isHostNamed } from '../../policy/rules/named-host.ts'
import { askApproval } from '../../tool/authorization/approval.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool, type Tool } from '../../tool/tool.ts'
import { askBeforeSending, hostName } from '../../tool-support/sending-question.ts'
import { fetchPage } from '../../web/fetch-page.ts'
import type { WebPage } from '../../web/page-text.ts'
import type { ShownWindow } from '../../web/page-window.ts'
import { cutWindow } from '../../web/page-window.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './web_fetch.md'

const line = z.int().check(z.minimum(1))

const input = z.object({
  url: field(z.string().check(z.minLength(1)), 'Address, with http or https.'),
  start_line: field(z._default(line, 1), 'First line of that text.'),
  end_line: field(z.optional(line), 'Last line; without it 20,000 characters at most.'),
})

type FetchArgs = z.output<typeof input> & VariantArgs<'web_fetch'>

/** Largest number of characters that a call shows unless it sets another. */
const usualChars = 20_000
/** Time limit in milliseconds of a request with its redirects, unless the call sets another. */
const usualTimeoutMs = 30_000

export const webFetch = defineTool({
  name: 'web_fetch',
  about,
  level: 'external_read',
  input,
  example: { url: 'https://nodejs.org/en/about/previous-releases', start_line: 1, end_line: 60 },
  access: ({ url, headers = {} }: FetchArgs, ctx) => ({
    scope: [hostScope(parseAddress(url), headers, ctx)],
  }),
  available(ctx) {
    if (!ctx.settings.web.enabled) return 'web access is off; set web.enabled to true in the configuration'
    return ctx.can.fetch ? true : 'this session has no network access'
  },
  async validate({ start_line, end_line, headers = {} }: FetchArgs) {
    if (end_line !== undefined && end_line < start_line) throw badArgs('end_line lies before start_line')
    for (const [name, value] of Object.entries(headers)) checkHeader(name, value)
  },
  async run(args: FetchArgs, ctx) {
    const url = parseAddress(args.url)
    if (ctx.call.approved) ctx.gate.urls?.approveHost(hostName(url))
    const fetch = ctx.can.fetch as GuardedFetch
    const page = await followApproved(url, args, ctx, (judge) =>
      fetchPage(
        {
          url,
          raw: args.raw ?? false,
          timeoutMs: args.timeout_ms ?? usualTimeoutMs,
          headers: args.headers ?? {},
          signal: ctx.signal,
          allows: (hop) => isHostNamed(ctx.policy, callOf(hop, ctx), hostName(hop)),
          judge,
        },
        fetch,
      ),
    ).catch((error: unknown) => {
      throw error instanceof FailureError ? withRule(error, url) : error
    })
    const max_chars = args.max_chars ?? usualChars
    const pageWindow = cutWindow(page.text, { ...args, max_chars })
    const isPast = args.start_char !== undefined && args.start_char >= page.text.length
    const content = isPast && page.text !== '' ? 'no more content' : pageWindow.text
    return {
      text: `${headLine(page, pageWindow)}${content === '' ? '' : `\n\n${content}`}`,
      closing: page.notes.map((note) => `[${note}]`).join('\n'),
      data: dataOf(page, pageWindow, max_chars),
      raw: { content },
    }
  },
  async evidence(data, text) {
    const { url, title, published, sha256, start_line, end_line } = data
    // The text of the page follows the first line and an empty line, and precedes the notes.
    const excerpt = text
      .split('\n')
      .slice(2, 3 + end_line - start_line)
      .join('\n')
    if (excerpt.trim() === '') return []
    const locator = start_line === end_line ? `${start_line}` : `${start_line}-${end_line}`
    return [{ canonical: url, locator, excerpt, sourceSha256: sha256, title, published }]
  },
})

/**
 * Returns the http or https URL of a page. Throws FailureError `bad_args` for text that is not a URL, and
 * `blocked_address` for other protocols.
 */
function parseAddress(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  const hint = 'Give the whole address, for example https://example.com/page.'
  throw new FailureError({
    code: url ? 'blocked_address' : 'bad_args',
    message: url
      ? `${url.protocol} addresses cannot be fetched, only http and https`
      : `url: ${JSON.stringify(hideUrlSecrets(text).slice(0, 200))} is not an address`,
    hint,
  })
}

function hostScope(url: URL, headers: Readonly<Record<string, string>>, ctx: Ctx | undefined): CallScope {
  const asks = askBeforeSending(url, headers, ctx?.gate)
  return { kind: 'host', host: hostName(url), asks }
}

const callOf = (url: URL, ctx: Ctx): PolicyCall => ({
  tool: 'web_fetch',
  level: 'external_read',
  args: { url: url.href },
  scope: [hostScope(url, {}, ctx)],
})

/** A redirect that needs approval or is denied, with the permission decision about it. */
interface OpenRedirect {
  hop: URL
  decision: PermissionDecision
  refusal: FailureError
}

/**
 * Returns the fetched page. A redirect that needs approval ends the request; after the approval, the page
 * is fetched again. The user is asked outside the request, so that the wait for an answer does not use up
 * the time limit of the request. Throws FailureError `denied` for a redirect that a rule denies or the user
 * does not approve.
 */
async function followApproved(
  firstUrl: URL,
  callArgs: Record<string, unknown>,
  ctx: Ctx,
  fetchOnce: (judge: (hop: URL) => Promise<void>) => Promise<WebPage>,
): Promise<WebPage> {
  const approved = new Set<string>()
  for (;;) {
    let open: OpenRedirect | undefined
    try {
      return await fetchOnce(async (hop) => {
        if (approved.has(hop.href)) return
        open = await judgeRedirect(hop, firstUrl, ctx)
        if (open) throw open.refusal
      })
    } catch (error) {
      if (open?.decision.action !== 'ask') throw error
      const { hop, decision, refusal } = open
      const ids = { call: ctx.call.id, modelCall: ctx.call.modelCall }
      // The headers of the call are not sent to another host.
      const args = { ...callArgs, url: hop.href, headers: undefined }
      const question = {
        ...ids,
        tool: webFetch as unknown as Tool,
        origin: 'native',
        args,
        effect: 'read',
        access: {},
      } as const
      const reply = await askApproval(question, decision, ctx)
      if (!reply.allow) throw new FailureError({ ...refusal.failure, hint: reply.why }, refusal)
      approved.add(hop.href)
      ctx.gate.urls?.approveHost(hostName(hop))
    }
  }
}

/**
 * Returns the permission decision on a redirect that is denied, or needs approval and leads to another
 * host; undefined for any other redirect. Only the first URL was judged with the call, and a page must not
 * bypass a rule.
 */
async function judgeRedirect(hop: URL, firstUrl: URL, ctx: Ctx): Promise<OpenRedirect | undefined> {
  const { policy, cwd } = ctx
  const facts = await resolveFacts(callOf(hop, ctx), policy, cwd)
  const policyDecision = decide(facts, policy)
  const stored = policyDecision.action === 'ask' && policyDecision.always ? await ctx.gate.answers() : []
  const decision = stored.length === 0 ? policyDecision : decide(facts, withStoredRules(policy, stored))
  const { action, reasons } = decision
  // the user's approval for this host also covers its other pages
  if (action === 'allow' || (action === 'ask' && hop.host === firstUrl.host)) return undefined
  const why = reasons.filter((reason) => reason.action === action).map(({ text }) => text)
  const refusal = new FailureError({
    code: 'denied',
    message: `${firstUrl.href} leads to ${hop.href}, which is not allowed: ${why.join('; ')}`,
  })
  return { hop, decision, refusal }
}

/**
 * Returns the error of a blocked address with a hint: the rule that allows the address, or that a redirect to
 * it is never allowed. Returns other errors unchanged.
 */
function withRule(error: FailureError, url: URL): FailureError {
  const { failure } = error
  const host = failure.detail?.['host']
  if (failure.code !== 'blocked_address' || host === undefined) return error
  const rule = JSON.stringify({ tool: 'web_fetch', host: hostName(url), action: 'allow' })
  const hint =
    host === hostName(url)
      ? `Only public addresses are fetched. A user can allow it with this rule in "permissions": ${rule}`
      : `${url.href} leads there; no page may lead to an address that is not public.`
  return new FailureError({ ...failure, hint }, error)
}

/**
 * Matches names of headers that a call may not set: those that the connection sets itself, and those that
 * could send data.
 */
const ownHeaders =
  /^(host|connection|content-.*|(transfer|accept)-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i

function checkHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw badArgs(`headers: ${JSON.stringify(name)} is not a header name`)
  if (ownHeaders.test(name)) throw badArgs(`headers: ${name} cannot be set`)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw badArgs(`headers: the value of ${name} contains invalid characters`)
}

const badArgs = (message: string) => new FailureError({ code: 'bad_args', message })

/**
 * Returns a line with the URL and title of the page, the shown part with the total size, and how to read on.
 */
function headLine({ url, title, text }: WebPage, pageWindow: ShownWindow): string {
  const { start_line, end_line, total_lines, start_char, next_line, next_char } = pageWindow
  const lines = end_line < start_line ? 'no lines' : `lines ${start_line}-${end_line}`
  const chars = start_char === undefined ? '' : `characters from ${start_char}`
  const of = chars === '' ? `${lines} of ${total_lines}` : `${chars} of ${text.length}`
  const on =
    next_line !== undefined
      ? `continue with start_line ${next_line}`
      : next_char !== undefined
        ? `continue at character ${next_char}`
        : undefined
  return [url, title, of, on].filter((part) => part !== undefined).join(' | ')
}

function dataOf(page: WebPage, pageWindow: ShownWindow, max_chars: number) {
  const { url, status, contentType: content_type, kind, sha256, fetched, redirects, notes } = page
  const { text, isWhole, ...window } = pageWindow
  return {
    url,
    status,
    content_type,
    kind,
    sha256,
    fetched,
    redirects,
    notes,
    title: page.title,
    published: page.published,
    ...window,
    max_chars,
    returned_chars: text.length,
    // If the window begins past the end of the page, no text is left to read.
    truncated: !isWhole && text !== '',
  }
}
