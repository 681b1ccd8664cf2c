// What parses PDF files, apart from the page.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
