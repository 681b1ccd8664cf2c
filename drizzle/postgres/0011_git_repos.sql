CREATE TABLE "git_repos" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"ref_seq" integer NOT NULL,
	"prune_seq" integer NOT NULL,
	"lfs_marked_seq" integer NOT NULL,
	"pack_bytes" bigint NOT NULL
);
--> statement-breakpoint
INSERT INTO "git_repos" ("repo_id", "ref_seq", "prune_seq", "lfs_marked_seq", "pack_bytes") SELECT "id", "ref_seq", "prune_seq", "lfs_marked_seq", "git_bytes" FROM "repos";--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "ref_seq";--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "prune_seq";--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "indexed_seq";--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "lfs_marked_seq";--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "git_bytes";