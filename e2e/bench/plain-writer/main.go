// Receives each body into a file as a server without further features would: it hashes with SHA-256, writes
// through the page cache and syncs before it answers. The benchmark compares the CPU time of uploads with it.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"os"
)

func receive(folder string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			return
		}
		// A new file each time: memory that an overwritten file just freed would cost less.
		file, err := os.CreateTemp(folder, "received-")
		if err == nil {
			hash := sha256.New()
			if _, err = io.CopyBuffer(io.MultiWriter(file, hash), r.Body, make([]byte, 1<<20)); err == nil {
				err = file.Sync()
			}
			file.Close()
			w.Header().Set("ETag", hex.EncodeToString(hash.Sum(nil)))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], receive(os.Args[2])))
}
