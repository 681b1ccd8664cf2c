export { CARD_TEXT_VERSION, searchTextOf, type SearchText } from './card-text/card-text.ts'
export { plainText } from './card-text/plain-text.ts'
export { wordsIn, type Word } from './card-text/words.ts'
export { findingsOf, type Revision } from './collect.ts'
export {
  noFindings,
  relations,
  type ConfigDigest,
  type Findings,
  type GgufDigest,
  type Relation,
  type RepoFile,
} from './findings.ts'
export { licenceId, licences } from './licences.ts'
export {
  facetFields,
  metadataOf,
  papersIn,
  type CardText,
  type FacetField,
  type Metadata,
} from './metadata.ts'
export { parametersInName } from './name-size.ts'
export { needKinds, type NeedKind, type RepoNeed } from './needs.ts'
export { autoClassOf } from './task.ts'
export { loadVocabulary, type Vocabulary } from './vocabulary.ts'
export { languages, words } from './words.ts'
export { filesToRead, shardsToRead } from './to-read.ts'
export { licenceFile } from './licence-text.ts'
