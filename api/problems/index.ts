export { catalogue, type ProblemCode } from './catalogue.ts'
export { invalidField, Problem, type FieldError, type ProblemDetail } from './problem.ts'
