// jq filters that only look at what they are given: every name is on a list.

/** Names that compute from their input. Files, modules and the environment have other names. */
const names: ReadonlySet<string> = new Set(
  (
    'abs add all any arrays ascii ascii_downcase ascii_upcase bsearch booleans builtins capture ceil combinations ' +
    'contains debug del delpaths dateadd datesub date dateadd empty endswith error exp exp10 exp2 explode fabs first ' +
    'flatten floor from_entries fromdate fromdateiso8601 fromjson fromstream getpath gmtime group_by gsub halt has ' +
    'implode in index indices infinite input inputs inside isempty isinfinite isnan isnormal isvalid iterables join ' +
    'keys keys_unsorted last leaf_paths length limit localtime log log10 log2 ltrimstr map map_values match max ' +
    'max_by min min_by mktime nan normals not now nth null nulls numbers objects path paths pick pow range recurse ' +
    'recurse_down reverse rindex round rtrimstr scalars scan select setpath sort sort_by split splits sqrt startswith ' +
    'strftime strings strptime sub test to_entries toarray toboolean todate todateiso8601 tojson tonumber tostream ' +
    'tostring transpose trim ltrim rtrim trunc truncate_stream type unique unique_by until utf8bytelength values ' +
    'walk while with_entries have_decnum splits ascii significand gamma lgamma tgamma tojson getpath ' +
    'if then elif else end as reduce foreach try catch label break and or true false'
  ).split(' '),
)

const token =
  /[ \t\n]+|\.\.|\.[A-Za-z_]\w*|\$[a-z_]\w*|@(?:base64d?|base32d?|csv|tsv|json|html|uri|sh|text)\b|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\?\/\/|\/\/=?|\|=|[-+*/%!=<>]=|[.,:;|?()[\]{}=<>+\-*/%"]/y
const string = /(?:[^"\\]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*/y

/** True when the filter uses nothing but its input. */
export function jqReads(filter: string): boolean {
  if (filter.length > 4_096) return false
  // what is open: a bracket, or a string that goes on behind its interpolation
  const open: string[] = []
  let at = 0
  const text = (): boolean => {
    string.lastIndex = at
    at += string.exec(filter)?.[0].length ?? 0
    if (filter[at] === '"') {
      at++
      return true
    }
    if (!filter.startsWith('\\(', at)) return false
    open.push('"')
    at += 2
    return true
  }
  while (at < filter.length) {
    token.lastIndex = at
    const found = token.exec(filter)?.[0]
    if (found === undefined) return false
    at += found.length
    if (found === '"') {
      if (!text()) return false
    } else if ('([{'.includes(found)) open.push(found)
    else if (')]}'.includes(found)) {
      const inner = open.pop()
      if (inner === '"') {
        if (found !== ')' || !text()) return false
      } else if (inner === undefined || '([{'.indexOf(inner) !== ')]}'.indexOf(found)) return false
    } else if (/^[A-Za-z_]/.test(found) && !names.has(found)) {
      // the key of an object may have any name: `{env: .x}`, `{name}`
      const after = /^[ \t\n]*(.|$)/s.exec(filter.slice(at))?.[1] ?? ''
      const key = open.at(-1) === '{' && /[{,][ \t\n]*$/.test(filter.slice(0, at - found.length))
      if (!key || !/^[:,}]$/.test(after)) return false
    } else if (/^\$__/.test(found)) return false
  }
  return open.length === 0
}
