export { catalogue, type ProblemCode } from '../../../shared/problems.ts'
export { invalidField, Problem, type FieldError, type ProblemDetail } from './problem.ts'
