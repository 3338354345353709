// Text of a run as elements: text nodes and links, never markup.
import { type ComponentChildren, h } from 'preact'
import { revealText, splitLinks } from './shown-text.ts'

export function ProseText({ text }: { text: string }) {
  const parts: ComponentChildren[] = splitLinks(revealText(text)).map((part) =>
    part.kind === 'text'
      ? part.text
      : h(
          'a',
          {
            href: part.href,
            target: '_blank',
            rel: 'noopener noreferrer nofollow',
            referrerpolicy: 'no-referrer',
          },
          part.text,
        ),
  )
  return h('div', { class: 'prose' }, parts)
}
