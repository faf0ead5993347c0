! plain_mpi.f90 - ranks of an MPI program choose the same configuration, although each rank has another fastest one.
program plain_mpi
    use autotune
    use mpi
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    interface
        subroutine spend(ns) bind(c, name='test_spend')
            import
            real(c_double), value :: ns
        end subroutine
        function virtual_backend() bind(c, name='test_backend') result(backend)
            import
            type(c_ptr) :: backend
        end function
    end interface
    type(autotune_space) :: space
    type(autotune_tuner) :: tuner
    type(autotune_options) :: options
    type(autotune_result) :: result
    integer :: error, rank, ranks, half, launches, key

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call space%axis('tile', [1, 2, 3, 4])
    call autotune_create(tuner, 'ranks', space)
    options%backend = virtual_backend()
    options%ranks = autotune_mpi_ranks(MPI_COMM_WORLD)
    call check(c_associated(options%ranks), 'a communicator has ranks')
    do key = 1, 3
        options%key = autotune_key(key)
        call autotune_call(tuner, options, exchange, result)
        call check(result%status == AUTOTUNE_OK .and. .not. result%cache_hit, 'all race together')
        call check_same(result%config%get_int('tile'))
        call check(result%config%get_int('tile') == 3, 'the slowest rank counts')
        launches = 0
        call autotune_call(tuner, options, exchange, result)
        call check(result%cache_hit .and. launches == 1, 'the next call is a hit')
    end do

    ! Another communicator, and rank 0 alone for it.
    call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, half, error)
    options%ranks = autotune_mpi_ranks(half)
    options%agree = AUTOTUNE_FIRST
    options%key = autotune_key('half', 9)
    call autotune_call(tuner, options, alone, result)
    call check(result%status == AUTOTUNE_OK, 'each half agrees')
    call check(result%config%get_int('tile') == 1 + mod(rank / 2 * 2, 4), 'on what its first rank found')
    options%first_rank = 1
    options%key = autotune_key('half', 10)
    call autotune_call(tuner, options, alone, result)
    call check(result%status == AUTOTUNE_OK, 'each half agrees again')
    call check(result%config%get_int('tile') == 1 + mod(rank / 2 * 2 + 1, 4), 'on what its rank 1 found')
    call autotune_agree(autotune_mpi_ranks(MPI_COMM_WORLD), error)
    call check(error == AUTOTUNE_OK, 'all know what rank 0 knows')

    options%ranks = autotune_mpi_ranks(MPI_COMM_NULL)
    options%key = autotune_key('none')
    call autotune_call(tuner, options, alone, result, error)
    call check(error == AUTOTUNE_ERR_ARGUMENT, 'no communicator, no ranks')
    call autotune_destroy(tuner)
    call MPI_Comm_free(half, error)
    call MPI_Finalize(error)

contains

    subroutine check(condition, sentence)
        logical, intent(in) :: condition
        character(*), intent(in) :: sentence
        integer :: error_of_abort
        if (condition) return
        print '(a, i0, 4a)', 'rank ', rank, ', not so: ', sentence, '; last error: ', autotune_last_error()
        call MPI_Abort(MPI_COMM_WORLD, 1, error_of_abort)
    end subroutine

    subroutine check_same(value)
        integer, intent(in) :: value
        integer :: extremes(2), own(2)
        own = [value, -value]
        call MPI_Allreduce(own, extremes, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
        call check(extremes(1) == -extremes(2), 'all ranks have chosen the same')
    end subroutine

    ! Ranks that run different configurations notice it here. Each takes 1 ms for a tile of its own, and all take 1.1 ms
    ! for 3.
    subroutine exchange(config)
        type(autotune_config), intent(inout) :: config
        integer :: tile, most
        tile = config%get_int('tile')
        launches = launches + 1
        call MPI_Allreduce(tile, most, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
        if (most /= tile) call config%fail('the ranks are not together')
        if (tile == 3) then
            call spend(1.1e6_real64)
        else
            call spend(merge(1e6_real64, 2e6_real64, mod(rank, ranks) == merge(2, tile - 1, tile == 4)))
        end if
    end subroutine

    ! Each rank has a best tile of its own.
    subroutine alone(config)
        type(autotune_config), intent(inout) :: config
        call spend(merge(1e6_real64, 2e6_real64, config%get_int('tile') == 1 + mod(rank, 4)))
    end subroutine
end program
