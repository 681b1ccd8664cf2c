/*
 * The public hub's lists of tasks and libraries. The package holds examples and snippets for each (10 MB in memory), so
 * it is loaded when the first card is read and only the names are kept.
 */
let names: Promise<{ tasks: ReadonlySet<string>; libraries: ReadonlySet<string> }> | undefined

async function load() {
  const { PIPELINE_DATA, MODEL_LIBRARIES_UI_ELEMENTS } = await import('@huggingface/tasks')
  return {
    tasks: new Set(Object.keys(PIPELINE_DATA)),
    libraries: new Set(Object.keys(MODEL_LIBRARIES_UI_ELEMENTS)),
  }
}

/** Ids a card may give as `pipeline_tag`. */
export async function taskNames(): Promise<ReadonlySet<string>> {
  return (await (names ??= load())).tasks
}

/** Ids a card may give as `library_name`. */
export async function libraryNames(): Promise<ReadonlySet<string>> {
  return (await (names ??= load())).libraries
}
