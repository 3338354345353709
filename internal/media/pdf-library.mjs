// Changes to the PDF library, so that it guesses no letters: a character code without a letter becomes U+FFFD.
// The build applies them to the copy in dist/; source that runs without a build applies them as it loads.

const changes = [
  // fonts of two-byte codes without any table of letters: the code is not a letter
  [
    'return new ys(e.firstChar,e.lastChar)}async readToUnicode',
    'return Object.assign(new ys(e.firstChar,e.lastChar),{isGuess:true})}async readToUnicode',
  ],
  // the same for a single code that such a table lacks
  [
    'let f=this.toUnicode.get(e)||e;',
    'let f=(this.toUnicode.isGuess?"":this.toUnicode.get(e))||(this.composite&&32!==e?"\\ufffd":e);',
  ],
]

/** Throws when the library is another version, whose source differs. */
export function patchPdfLibrary(source) {
  return changes.reduce((text, [before, after]) => {
    const parts = text.split(before)
    if (parts.length !== 2)
      throw new Error(`the PDF library has changed: it has ${parts.length - 1} times ${before}`)
    return parts.join(after)
  }, source)
}
