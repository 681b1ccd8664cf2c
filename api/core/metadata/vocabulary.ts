/** The public hub's lists of tasks and libraries. */
export interface Vocabulary {
  /** Ids a card may give as `pipeline_tag`, each with its modality, such as `nlp`. */
  tasks: ReadonlyMap<string, string>
  /** Ids a card may give as `library_name`. */
  libraries: ReadonlySet<string>
}

let loaded: Promise<Vocabulary> | undefined

async function load(): Promise<Vocabulary> {
  const { PIPELINE_DATA, MODEL_LIBRARIES_UI_ELEMENTS } = await import('@huggingface/tasks')
  return {
    tasks: new Map(Object.entries(PIPELINE_DATA).map(([id, { modality }]) => [id, modality])),
    libraries: new Set(Object.keys(MODEL_LIBRARIES_UI_ELEMENTS)),
  }
}

/** Loads the lists once. The package holds examples for each entry (10 MB in memory), so only the names are kept. */
export const loadVocabulary = (): Promise<Vocabulary> => (loaded ??= load())
