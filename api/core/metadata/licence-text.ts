/** Titles of licence texts, each with the id of the public hub; the first that fits. */
const titles: [title: RegExp, id: string][] = [
  [/apache license,?\s+version 2\.0/, 'apache-2.0'],
  [/gnu affero general public license\s+version 3/, 'agpl-3.0'],
  [/gnu lesser general public license\s+version 3/, 'lgpl-3.0'],
  [/gnu lesser general public license\s+version 2\.1/, 'lgpl-2.1'],
  [/gnu general public license\s+version 3/, 'gpl-3.0'],
  [/gnu general public license\s+version 2/, 'gpl-2.0'],
  [/mozilla public license,?\s+version 2\.0/, 'mpl-2.0'],
  [/bsd 3-clause/, 'bsd-3-clause'],
  [/bsd 2-clause/, 'bsd-2-clause'],
  [/cc0 1\.0 universal/, 'cc0-1.0'],
  [/attribution-noncommercial-sharealike 4\.0/, 'cc-by-nc-sa-4.0'],
  [/attribution-noncommercial-noderivatives 4\.0/, 'cc-by-nc-nd-4.0'],
  [/attribution-noncommercial 4\.0/, 'cc-by-nc-4.0'],
  [/attribution-sharealike 4\.0/, 'cc-by-sa-4.0'],
  [/attribution-noderivatives 4\.0/, 'cc-by-nd-4.0'],
  [/attribution 4\.0 international/, 'cc-by-4.0'],
  [/llama 3\.1 community license/, 'llama3.1'],
  [/llama 3\.2 community license/, 'llama3.2'],
  [/llama 3\.3 community license/, 'llama3.3'],
  [/llama 4 community license/, 'llama4'],
  [/meta llama 3 community license/, 'llama3'],
  [/llama 2 community license/, 'llama2'],
  [/gemma terms of use/, 'gemma'],
  [/\bmit license\b|permission is hereby granted, free of charge, to any person/, 'mit'],
  [/free and unencumbered software released into the public domain/, 'unlicense'],
]

/** Names of files that hold a licence's text. */
export const licenceFile = /^licen[sc]e(\.(txt|md))?$/i

/** The licence whose text a LICENSE file begins with; nothing for a text of its own. */
export function licenceOfText(text: string): string | undefined {
  const head = text.slice(0, 1000).toLowerCase().replaceAll(/\s+/g, ' ')
  return titles.find(([title]) => title.test(head))?.[1]
}
