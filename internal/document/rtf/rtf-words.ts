// RTF control words that represent characters, end a paragraph, or begin a group.
import type { GapKind } from '../gap-list.ts'

export const rtfCharacters: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
}

export const rtfParagraphEnds = new Set(['par', 'sect', 'page', 'column'])

/** Groups whose text is not text of the document. */
export const rtfSkipped = new Set(
  (
    'colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator xmlnstbl themedata datastore ' +
    'colorschememapping latentstyles filetbl operator company author doccomm keywords subject ' +
    'manager category ' +
    'creatim revtim printim buptim hlinkbase fldinst bkmkstart bkmkend objdata objclass objname ' +
    'nonshppict ' +
    'shprslt sp pn pnseclvl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn atnid atnref atndate atntime ' +
    'atrfstart atrfend atnparent atnicn mmathPict panose falt fontemb userprops docvar wgrffmtfilter xe tc'
  ).split(' '),
)

/** Groups that are read, although an asterisk lets programs skip them. */
export const rtfOptional = new Set(
  'annotation atnauthor shpinst shptxt shppict moMath moMathPara mmath ud fldrslt'.split(' '),
)

/** Labels of the groups whose text is separate from the text of the document, such as headers. */
export const rtfAsides: Readonly<Record<string, string>> = {
  header: 'Header: ',
  headerl: 'Header: ',
  headerr: 'Header: ',
  headerf: 'Header: ',
  footer: 'Footer: ',
  footerl: 'Footer: ',
  footerr: 'Footer: ',
  footerf: 'Footer: ',
  footnote: '[^] ',
  annotation: 'Comment: ',
  shptxt: 'Text box: ',
}

export const rtfGaps: Readonly<Record<string, GapKind>> = {
  pict: 'picture',
  object: 'embedded',
  moMath: 'math',
}
