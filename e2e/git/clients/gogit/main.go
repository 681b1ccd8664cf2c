// go-git: clone <url> <folder> | fetch <folder> | push <folder> <files>; says the commit it then has.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
)

func account() *http.BasicAuth {
	return &http.BasicAuth{Username: os.Getenv("CLIENT_USER"), Password: os.Getenv("CLIENT_TOKEN")}
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func check(err error) { must(0, err) }

func clone(url, folder string) string {
	repo := must(git.PlainClone(folder, false, &git.CloneOptions{URL: url, Auth: account()}))
	return must(repo.Head()).Hash().String()
}

func fetch(folder string) string {
	repo := must(git.PlainOpen(folder))
	err := repo.Fetch(&git.FetchOptions{Auth: account()})
	if !errors.Is(err, git.NoErrAlreadyUpToDate) {
		check(err)
	}
	return must(repo.Reference("refs/remotes/origin/main", true)).Hash().String()
}

func push(folder, files string) string {
	repo := must(git.PlainOpen(folder))
	tree := must(repo.Worktree())
	for i := range must(strconv.Atoi(files)) {
		path := filepath.Join("by-go-git", files, strconv.Itoa(i%20), strconv.Itoa(i)+".txt")
		file := filepath.Join(folder, path)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		check(os.WriteFile(file, []byte(path+"\n"), 0o644))
	}
	check(tree.AddWithOptions(&git.AddOptions{Path: "by-go-git"}))
	person := &object.Signature{Name: "Ada", Email: "ada@example.org", When: time.Now()}
	made := must(tree.Commit(files+" files", &git.CommitOptions{Author: person}))
	check(repo.Push(&git.PushOptions{Auth: account()}))
	return made.String()
}

func main() {
	args := os.Args[2:]
	switch os.Args[1] {
	case "clone":
		fmt.Println(clone(args[0], args[1]))
	case "fetch":
		fmt.Println(fetch(args[0]))
	case "push":
		fmt.Println(push(args[0], args[1]))
	}
}
